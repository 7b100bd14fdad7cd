//! Libraries of the machine, found while running.
//!
//! Invariants
//! - A library or a function that is not there is an answer that names it and says where it was looked for; never a panic.
//! - A library that was opened stays open until the process ends: drivers keep threads of their own.
//! - No environment variable is read here. The system's loader has its own rules for a name without a folder.

use crate::error::DeviceError;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Library {
    raw: &'static libloading::Library,
}

impl Library {
    /// Opens the first of these names that is there: in the caller's folders, by the system's rules, in the usual folders.
    pub(crate) fn find(
        device: &str,
        names: &[&str],
        folders: &[PathBuf],
        usual: &[PathBuf],
    ) -> Result<(Library, PathBuf), DeviceError> {
        let mut refused = Vec::new();
        let inside = |all: &[PathBuf]| -> Vec<PathBuf> {
            all.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).collect()
        };
        let bare = names.iter().map(PathBuf::from).collect();
        for path in [inside(folders), bare, inside(usual)].concat() {
            let has_folder = path.parent().is_some_and(|p| !p.as_os_str().is_empty());
            if has_folder && !path.is_file() {
                continue;
            }
            match Library::open(&path) {
                Ok(library) => return Ok((library, path)),
                Err(why) if has_folder => refused.push(format!("{} ({why})", path.display())),
                Err(_) => {}
            }
        }
        let mut places = vec!["the system's loader".to_string()];
        places.extend(folders.iter().chain(usual).map(|folder| folder.display().to_string()));
        let mut what = format!("{} (looked in {})", names.join(" or "), places.join(", "));
        if !refused.is_empty() {
            what += &format!("; not to be opened: {}", refused.join(", "));
        }
        Err(DeviceError::Missing { device: device.into(), what })
    }

    fn open(path: &Path) -> Result<Library, String> {
        // SAFETY: what a vendor's library runs when it is opened asks nothing of this process.
        let raw = unsafe { libloading::Library::new(path) }.map_err(|why| why.to_string())?;
        Ok(Library { raw: Box::leak(Box::new(raw)) })
    }

    /// The function of this name.
    ///
    /// # Safety
    /// `T` is the pointer type of the function that the library's interface gives that name.
    pub(crate) unsafe fn function<T: Copy + 'static>(
        self,
        device: &str,
        name: &'static str,
    ) -> Result<T, DeviceError> {
        // SAFETY: the caller's.
        match unsafe { self.raw.get::<T>(name.as_bytes()) } {
            Ok(function) => Ok(*function),
            Err(_) => Err(DeviceError::Missing {
                device: device.into(),
                what: format!("function {name}"),
            }),
        }
    }
}

/// Keeps resident what another library will ask the loader for by its bare name.
pub(crate) fn preload(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            // One of another version is of no use and harms nothing.
            let _ = Library::open(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_named_with_the_places() {
        let folder = std::env::temp_dir().join(format!("evenweave-library-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("libevenweave_none.so.1"), b"no library").unwrap();
        let names = ["libevenweave_none.so.1", "libevenweave_none.so"];
        let error =
            Library::find("cuda", &names, std::slice::from_ref(&folder), &["/usr/none".into()])
                .unwrap_err();
        fs::remove_dir_all(&folder).unwrap();
        let DeviceError::Missing { device, what } = &error else { panic!("{error}") };
        assert_eq!(device, "cuda");
        let words =
            ["libevenweave_none.so.1 or libevenweave_none.so", "/usr/none", "not to be opened"];
        for word in words.iter().copied().chain([&*folder.to_string_lossy()]) {
            assert!(what.contains(word), "{word} is not in: {what}");
        }
    }

    #[test]
    fn a_function_that_is_not_there_is_an_answer() {
        let (libm, _) = Library::find("cuda", &["libm.so.6"], &[], &[]).unwrap();
        type Sine = unsafe extern "C" fn(f64) -> f64;
        // SAFETY: the C library's `sin` is of this type, and no function has the other name.
        let (sine, none) = unsafe {
            (libm.function::<Sine>("cuda", "sin"), libm.function::<Sine>("cuda", "cuSine"))
        };
        // SAFETY: `sin` takes any number.
        assert_eq!(unsafe { sine.unwrap()(0.0) }, 0.0);
        assert!(
            matches!(none, Err(DeviceError::Missing { what, .. }) if what == "function cuSine")
        );
    }
}
