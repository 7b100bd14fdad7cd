//! Which device a name means.

use super::{
    super::{find, list},
    wanted,
};
use crate::{DeviceError, DeviceInfo, OpenOptions, open};

fn info(index: usize, description: &str) -> DeviceInfo {
    DeviceInfo {
        name: format!("vulkan:{index}"),
        description: description.into(),
        threads: 0,
        native_lanes: 32,
        driver: String::new(),
        driver_version: String::new(),
        api: String::new(),
        software: false,
        device_uuid: None,
        driver_uuid: None,
        limits: Vec::new(),
    }
}

#[test]
fn an_index_a_part_of_the_description_or_nothing() {
    let all = [info(0, "Alpha 900"), info(1, "Beta 900"), info(2, "llvmpipe (LLVM 15)")];
    assert_eq!(find("vulkan", "Vulkan", &all), Ok(0));
    assert_eq!(find("vulkan:1", "Vulkan", &all), Ok(1));
    assert_eq!(find("vulkan:LLVMpipe", "Vulkan", &all), Ok(2));
    assert_eq!(find("vulkan:beta", "Vulkan", &all), Ok(1));
    let candidates = "vulkan:0 (Alpha 900), vulkan:1 (Beta 900)".to_string();
    let name = "vulkan:a 9".to_string();
    assert_eq!(
        find("vulkan:a 9", "Vulkan", &all),
        Err(DeviceError::Ambiguous { name, candidates })
    );
    // A number is an index, never a part of a description.
    for name in ["vulkan:3", "vulkan:900", "vulkan:", "vulkan:gamma"] {
        let known = "vulkan:0, vulkan:1, vulkan:2".to_string();
        assert_eq!(
            find(name, "Vulkan", &all),
            Err(DeviceError::Unknown { name: name.into(), known })
        );
    }
    assert!(matches!(find("vulkan", "Vulkan", &[]), Err(DeviceError::Unknown { .. })));
}

#[test]
fn what_is_listed_can_be_opened_and_says_the_same() {
    if !wanted("what_is_listed_can_be_opened_and_says_the_same") {
        return;
    }
    let listed = list();
    assert!(!listed.is_empty(), "VK_DRIVER_FILES names a driver without a device");
    for info in listed {
        let device = open(&info.name, &OpenOptions::default()).unwrap();
        let opened = device.info();
        assert_eq!((&opened.description, &opened.api), (&info.description, &info.api));
        assert!(opened.limits.starts_with(&info.limits));
        assert!(opened.device_uuid.is_some() && opened.native_lanes > 0);
        let facts = device.facts().unwrap();
        assert!(facts.max_invocations >= 128 && facts.max_shared_bytes >= 16 << 10);
    }
}
