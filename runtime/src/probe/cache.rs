//! What was measured of a device, kept from run to run.
//!
//! Invariants
//! - A file answers for one driver, its version, one device and one probe: the kernels and their inputs are in its name.
//! - A file that is not whole, or says something unknown, is as good as none.

use super::{Probed, flow, sheets};
use crate::device::DeviceInfo;
use evenweave_codegen::{Fact, FactSet, Facts};
use evenweave_lang::text;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

const HEAD: &str = "evenweave probe 1";

/// What a measurement depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Of a device that has told what it is. `None` where the driver does not say which device it is: nothing is kept.
    pub fn of(info: &DeviceInfo, facts: &Facts) -> Option<Key> {
        info.device_uuid?;
        Some(Key::named("vulkan", &hex(info.driver_uuid?), info, facts, ""))
    }

    /// Of a device whose kernels a compiler of this name and version compiles.
    pub fn with_compiler(info: &DeviceInfo, facts: &Facts, compiler: &str) -> Option<Key> {
        info.device_uuid?;
        Some(Key::named(&info.driver.to_lowercase(), &info.driver_version, info, facts, compiler))
    }

    fn named(kind: &str, driver: &str, info: &DeviceInfo, facts: &Facts, compiler: &str) -> Key {
        let device = hex(info.device_uuid.unwrap_or_default());
        let believed = Facts { holds: FactSet::ALL, ..*facts };
        let mut state = hash(0xcbf2_9ce4_8422_2325, info.driver_version.as_bytes());
        state = hash(state, format!("{} {} {believed:?}", info.driver, info.api).as_bytes());
        state = hash(state, env!("CARGO_PKG_VERSION").as_bytes());
        state = hash(state, compiler.as_bytes());
        for kernel in flow::kernels() {
            state = hash(state, text::print(&kernel).as_bytes());
        }
        for sheet in sheets(facts.features) {
            state = sheet.hash(state);
        }
        Key(format!("{kind}-{driver}-{device}-{state:016x}.probe"))
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.0)
    }
}

fn hex(uuid: [u8; 16]) -> String {
    uuid.iter().map(|b| format!("{b:02x}")).collect()
}

/// What was measured before, if it is known.
pub fn recall(folder: &Path, key: &Key) -> Option<Probed> {
    parse(&fs::read_to_string(key.path(folder)).ok()?)
}

/// Keeps what was measured, if all of it was. A folder that cannot be written costs time only.
pub fn remember(folder: &Path, key: &Key, probed: &Probed) {
    if !probed.ran {
        return;
    }
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let path = key.path(folder);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{count}.part", std::process::id()));
    let done = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, print(probed)))
        .and_then(|()| fs::rename(&beside, &path));
    if done.is_err() {
        // What could not be put into place is of no use; that it cannot be removed either changes nothing.
        let _ = fs::remove_file(&beside);
    }
}

fn print(probed: &Probed) -> String {
    let line = |(fact, witness): &(Fact, String)| {
        format!("{} {}\n", fact.name(), witness.replace('\n', " "))
    };
    let body: String = probed.witnesses.iter().map(line).collect();
    let sum = hash(0xcbf2_9ce4_8422_2325, body.as_bytes());
    format!("{HEAD} {sum:016x}\n{body}")
}

fn parse(text: &str) -> Option<Probed> {
    let (head, body) = text.split_once('\n')?;
    let sum = hash(0xcbf2_9ce4_8422_2325, body.as_bytes());
    if head != format!("{HEAD} {sum:016x}") {
        return None;
    }
    let mut probed = Probed { holds: FactSet::ALL, witnesses: Vec::new(), ran: true };
    for line in body.lines() {
        let (name, witness) = line.split_once(' ')?;
        let fact = Fact::parse(name)?;
        probed.holds = probed.holds.with(fact, false);
        probed.witnesses.push((fact, witness.into()));
    }
    Some(probed)
}

/// FNV-1a, going on from a state.
pub(super) fn hash(state: u64, data: &[u8]) -> u64 {
    data.iter().fold(state, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_what_is_damaged_does_not() {
        let witnesses = vec![
            (Fact::Fma, "fma(a, b, c) of a = 0x1 gave 0x2, is 0x3".to_string()),
            (Fact::Div, "two\nlines".into()),
        ];
        let holds = FactSet::ALL.with(Fact::Fma, false).with(Fact::Div, false);
        let folder = std::env::temp_dir().join(format!("evenweave-probe-{}", std::process::id()));
        let key = Key("a.probe".into());
        assert_eq!(recall(&folder, &key), None);
        remember(&folder, &key, &Probed { holds, witnesses: witnesses.clone(), ran: false });
        assert_eq!(recall(&folder, &key), None, "what failed to run was not measured");
        remember(&folder, &key, &Probed { holds, witnesses: witnesses.clone(), ran: true });
        let back = recall(&folder, &key).unwrap();
        assert_eq!((back.holds, &back.witnesses[0]), (holds, &witnesses[0]));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no part is left");
        let whole = fs::read_to_string(key.path(&folder)).unwrap();
        for damaged in [&whole[..whole.len() - 9], "", &whole.replace("0x2", "0x4"), &whole[1..]] {
            fs::write(key.path(&folder), damaged).unwrap();
            assert_eq!(recall(&folder, &key), None, "{damaged}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
