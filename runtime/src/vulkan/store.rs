//! The file of a driver's compiled pipelines.
//!
//! Invariants
//! - One file for each driver, its version and device; written whole beside its place and then renamed.
//! - A file that is not whole, or another's, is as good as none. A folder that cannot be written costs time only.

use super::hardware::Hardware;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

const MAGIC: &[u8; 8] = b"EWPIPE01";

/// Where the file of a device lies.
pub(super) fn path(folder: &Path, hardware: &Hardware) -> PathBuf {
    let hex = |uuid: Option<[u8; 16]>| -> String {
        uuid.unwrap_or_default().iter().map(|b| format!("{b:02x}")).collect()
    };
    let info = &hardware.info;
    folder.join(format!(
        "vulkan-{}-{}-{:08x}.pipelines",
        hex(info.driver_uuid),
        hex(info.device_uuid),
        hardware.driver_version
    ))
}

/// What the file holds, if it is whole.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    let (magic, rest) = bytes.split_first_chunk::<8>()?;
    let (sum, data) = rest.split_first_chunk::<8>()?;
    (magic == MAGIC && u64::from_le_bytes(*sum) == checksum(data)).then(|| data.to_vec())
}

/// Writes the file.
pub(super) fn write(path: &Path, data: &[u8]) -> std::io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(checksum(data).to_le_bytes());
    bytes.extend(data);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{count}.part", std::process::id()));
    let done = fs::write(&beside, &bytes).and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // What could not be put into place is of no use; that it cannot be removed either changes nothing.
        let _ = fs::remove_file(&beside);
    }
    done
}

/// FNV-1a, and the length.
fn checksum(data: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ data.len() as u64;
    data.iter().fold(start, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_file_is_read() {
        let folder = std::env::temp_dir().join(format!("evenweave-store-{}", std::process::id()));
        let path = folder.join("sub").join("a.pipelines");
        assert_eq!(read(&path), None);
        write(&path, b"compiled").unwrap();
        assert_eq!(read(&path).as_deref(), Some(&b"compiled"[..]));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no part is left");
        let whole = fs::read(&path).unwrap();
        for damaged in [&whole[..whole.len() - 1], &[], b"compiled", &[&whole[..], b"x"].concat()] {
            fs::write(&path, damaged).unwrap();
            assert_eq!(read(&path), None);
        }
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        fs::write(&path, flipped).unwrap();
        assert_eq!(read(&path), None);
        fs::remove_dir_all(&folder).unwrap();
    }
}
