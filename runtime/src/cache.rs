//! Compiled programs, kept from run to run.
//!
//! An entry is named by what decides the machine code: the kind of device, the architecture, the flags and the whole text. The
//! compiler is not in the name but in the entry: a device with a compiler of its own takes what that very compiler made and
//! replaces the rest; a device without one takes what anybody's compiler made ahead of time.
//!
//! Invariants
//! - An entry is one file, written whole beside its place and then renamed: any number of processes may share a folder.
//! - A file that is not whole, or another's, is as good as none: it is removed and made again.
//! - A folder that cannot be written costs time only.
//! - The entries take no more than the bytes that were agreed on, but for a moment; those unused for longest go first. When an
//!   entry was used is known to the hour.

use sha2::{Digest, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

const MAGIC: &[u8; 8] = b"EWPROG01";
const ENDING: &str = "program";
const PART: &str = "part";
/// How exactly the time of an entry's last use is known.
const TOUCH: Duration = Duration::from_secs(3600);
/// Bytes of all entries, where nobody says otherwise.
pub const USUAL_BYTES: u64 = 1 << 30;

/// What machine code depends on, as a number that no other has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The code for an architecture of a kind of device, from a text and these flags.
    pub fn of(kind: &str, arch: &str, flags: &[&str], text: &str) -> Key {
        let mut state = Sha256::new();
        for part in [kind, arch].iter().chain(flags).chain(&[text]) {
            state.update((part.len() as u64).to_le_bytes());
            state.update(part.as_bytes());
        }
        Key(state.finalize().into())
    }

    fn name(&self) -> String {
        let hex: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{hex}.{ENDING}")
    }
}

/// A compiled program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who made it: name and version.
    pub compiler: String,
    /// Machine code.
    pub code: Vec<u8>,
}

/// A folder of compiled programs.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    most_bytes: u64,
    /// Bytes of the entries when they were last counted, and what was written since; `u64::MAX` before the first count.
    bytes: AtomicU64,
}

/// What a folder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many entries.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Cache {
    /// The compiled programs of a cache folder, which may not be there yet.
    pub fn open(folder: &Path, most_bytes: u64) -> Cache {
        Cache { folder: folder.join("programs"), most_bytes, bytes: AtomicU64::new(u64::MAX) }
    }

    /// Where the entries are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The program of this key, if it is there and whole.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        let path = self.folder.join(key.name());
        let bytes = fs::read(&path).ok()?;
        let entry = parse(key, &bytes);
        if entry.is_some() {
            touch(&path);
        } else {
            // What is damaged is made again; if it cannot be removed, it is replaced.
            let _ = fs::remove_file(&path);
        }
        entry
    }

    /// Keeps a program, in place of what had its key before.
    pub fn put(&self, key: &Key, entry: &Entry) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        fs::create_dir_all(&self.folder)?;
        let path = self.folder.join(key.name());
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_extension(format!("{}-{count}.{PART}", std::process::id()));
        let bytes = print(key, entry);
        let done = fs::write(&beside, &bytes).and_then(|()| fs::rename(&beside, &path));
        if done.is_err() {
            // What could not be put into place is of no use; that it cannot be removed either changes nothing.
            let _ = fs::remove_file(&beside);
        }
        done?;
        self.grown(bytes.len() as u64);
        Ok(())
    }

    /// How much there is.
    pub fn usage(&self) -> Usage {
        self.files().iter().fold(Usage::default(), |sum, file| Usage {
            entries: sum.entries + 1,
            bytes: sum.bytes + file.bytes,
        })
    }

    /// Removes every entry.
    pub fn clear(&self) -> io::Result<()> {
        for file in self.files() {
            match fs::remove_file(&file.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        self.bytes.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Counts bytes that were written, and makes room where they are too many.
    fn grown(&self, by: u64) {
        let known = self.bytes.load(Ordering::Relaxed);
        let now = match known {
            u64::MAX => self.usage().bytes,
            known => known.saturating_add(by),
        };
        self.bytes.store(now, Ordering::Relaxed);
        if now > self.most_bytes {
            self.make_room();
        }
    }

    /// Removes what was unused for longest until a tenth is free.
    fn make_room(&self) {
        let mut files = self.files();
        files.sort_by_key(|file| file.used);
        let mut bytes: u64 = files.iter().map(|file| file.bytes).sum();
        let enough = self.most_bytes - self.most_bytes / 10;
        for file in &files {
            if bytes <= enough {
                break;
            }
            // Another process may have removed it.
            if fs::remove_file(&file.path).is_ok() {
                bytes -= file.bytes;
            }
        }
        self.bytes.store(bytes, Ordering::Relaxed);
        self.remove_parts();
    }

    /// Removes what processes that ended on the way have left.
    fn remove_parts(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let old =
                entry.metadata().and_then(|m| m.modified()).is_ok_and(|at| is_past(at, TOUCH));
            if old && path.extension().is_some_and(|e| e == PART) {
                // Whoever wants it gone sooner can remove it.
                let _ = fs::remove_file(path);
            }
        }
    }

    fn files(&self) -> Vec<File> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|e| e != ENDING) {
                continue;
            }
            if let Ok(data) = entry.metadata() {
                let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                files.push(File { path, bytes: data.len(), used });
            }
        }
        files
    }
}

struct File {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn is_past(at: SystemTime, by: Duration) -> bool {
    SystemTime::now().duration_since(at).is_ok_and(|since| since > by)
}

/// Says that an entry was used.
fn touch(path: &Path) {
    let used = fs::metadata(path).and_then(|data| data.modified());
    if used.is_ok_and(|at| is_past(at, TOUCH)) {
        let file = fs::File::options().write(true).open(path);
        // An entry whose use is not written down is removed sooner than it should be.
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }
}

fn sum(key: &Key, compiler: &[u8], code: &[u8]) -> [u8; 32] {
    let mut state = Sha256::new();
    state.update(key.0);
    state.update((compiler.len() as u64).to_le_bytes());
    state.update(compiler);
    state.update(code);
    state.finalize().into()
}

fn print(key: &Key, entry: &Entry) -> Vec<u8> {
    let compiler = entry.compiler.as_bytes();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(key.0);
    bytes.extend((compiler.len() as u64).to_le_bytes());
    bytes.extend((entry.code.len() as u64).to_le_bytes());
    bytes.extend(sum(key, compiler, &entry.code));
    bytes.extend(compiler);
    bytes.extend(&entry.code);
    bytes
}

fn parse(key: &Key, bytes: &[u8]) -> Option<Entry> {
    let (magic, rest) = bytes.split_first_chunk::<8>()?;
    let (name, rest) = rest.split_first_chunk::<32>()?;
    let (words, rest) = rest.split_first_chunk::<8>()?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (checksum, rest) = rest.split_first_chunk::<32>()?;
    let words = usize::try_from(u64::from_le_bytes(*words)).ok()?;
    let (compiler, code) = rest.split_at_checked(words)?;
    let whole = magic == MAGIC
        && *name == key.0
        && u64::from_le_bytes(*length) == code.len() as u64
        && *checksum == sum(key, compiler, code);
    let compiler = String::from_utf8(compiler.to_vec()).ok()?;
    whole.then(|| Entry { compiler, code: code.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(code: &[u8]) -> Entry {
        Entry { compiler: "nvrtc 13.0".into(), code: code.to_vec() }
    }

    fn key(text: &str) -> Key {
        Key::of("cuda", "sm_90a", &["--fmad=false"], text)
    }

    #[test]
    fn a_key_is_of_all_that_it_is_made_of() {
        let all = [
            Key::of("cuda", "sm_90a", &["-a", "-b"], "text"),
            Key::of("hip", "sm_90a", &["-a", "-b"], "text"),
            Key::of("cuda", "sm_90", &["-a", "-b"], "text"),
            Key::of("cuda", "sm_90a", &["-a-b"], "text"),
            Key::of("cuda", "sm_90a", &["-a"], "-btext"),
            Key::of("cuda", "sm_90a", &["-a", "-b"], "text "),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b), "{i}");
        }
        assert_eq!(all[0], Key::of("cuda", "sm_90a", &["-a", "-b"], "text"));
    }

    #[test]
    fn only_what_is_whole_comes_back_and_the_rest_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), USUAL_BYTES);
        let (key, other) = (key("a"), key("b"));
        assert_eq!(cache.get(&key), None);
        cache.put(&key, &entry(b"code")).unwrap();
        assert_eq!(cache.get(&key), Some(entry(b"code")));
        cache.put(&key, &entry(b"other code")).unwrap();
        assert_eq!(cache.get(&key), Some(entry(b"other code")));
        assert_eq!(cache.usage().entries, 1, "one file, and no part is left");
        assert_eq!(fs::read_dir(cache.folder()).unwrap().count(), 1);

        let path = cache.folder().join(key.name());
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            fs::write(&path, &flipped).unwrap();
            assert_eq!(cache.get(&key), None, "byte {at}");
            assert!(!path.exists(), "byte {at}: what is damaged is removed");
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(cache.get(&key), None, "the first {at} bytes");
        }
        fs::write(cache.folder().join(other.name()), &whole).unwrap();
        assert_eq!(cache.get(&other), None, "another's entry");
        cache.put(&key, &entry(b"code")).unwrap();
        cache.clear().unwrap();
        assert_eq!((cache.get(&key), cache.usage()), (None, Usage::default()));
    }

    #[test]
    fn what_was_unused_for_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 10_000);
        let keys: Vec<Key> = (0..9).map(|i| key(&i.to_string())).collect();
        let age = |key: &Key, hours: u64| {
            let file = fs::File::options().write(true).open(cache.folder().join(key.name()));
            let at = SystemTime::now() - Duration::from_secs(3600 * hours);
            file.unwrap().set_modified(at).unwrap();
        };
        for (i, key) in keys[..8].iter().enumerate() {
            cache.put(key, &entry(&[i as u8; 1000])).unwrap();
            age(key, 20 - i as u64);
        }
        assert_eq!(cache.usage().entries, 8);
        // The oldest was just used.
        assert!(cache.get(&keys[0]).is_some());
        let part = cache.folder().join(format!("x.1-1.{PART}"));
        fs::write(&part, b"left").unwrap();
        fs::File::options()
            .write(true)
            .open(&part)
            .unwrap()
            .set_modified(SystemTime::now() - 2 * TOUCH)
            .unwrap();
        cache.put(&keys[8], &entry(&[8; 3000])).unwrap();
        let there: Vec<bool> = keys.iter().map(|key| cache.get(key).is_some()).collect();
        assert!(there[0] && there[8], "{there:?}");
        assert!(!there[1] && !there[2] && there[7], "{there:?}");
        assert!(cache.usage().bytes <= 9_000);
        assert!(!part.exists(), "what a dead process left is removed");
    }

    /// Run as a process of its own by the test below; alone it does the same work in a folder of its own.
    #[test]
    fn a_process_among_others() {
        let own = tempfile::tempdir().unwrap();
        let folder = std::env::var_os("EVENWEAVE_TEST_CACHE").map(PathBuf::from);
        let cache = Cache::open(folder.as_deref().unwrap_or(own.path()), 40_000);
        for round in 0..200u32 {
            let key = key(&(round % 23).to_string());
            let code = [(round % 23) as u8; 3000];
            if let Some(found) = cache.get(&key) {
                assert_eq!(found.code, code, "an entry is whole, and its key's");
            }
            cache.put(&key, &entry(&code)).unwrap();
        }
    }

    #[test]
    fn processes_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let program = std::env::current_exe().unwrap();
        let run = |_| {
            std::process::Command::new(&program)
                .args(["cache::tests::a_process_among_others", "--exact"])
                .env("EVENWEAVE_TEST_CACHE", folder.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        };
        let mut all: Vec<_> = (0..3).map(run).collect();
        for process in &mut all {
            assert!(process.wait().unwrap().success());
        }
        let cache = Cache::open(folder.path(), 40_000);
        let usage = cache.usage();
        assert!(usage.entries > 0 && usage.bytes <= 3 * 40_000, "{usage:?}");
        let names = fs::read_dir(cache.folder()).unwrap().flatten();
        let part = |e: &fs::DirEntry| e.path().extension().is_some_and(|e| e == PART);
        assert_eq!(names.filter(part).count(), 0, "no part is left");
    }
}
