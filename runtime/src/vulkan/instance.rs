//! The loader and its instances: one as it comes, one that the validation layer watches.
//!
//! Invariants
//! - Found while running; a machine without a loader has no Vulkan devices.
//! - An instance is made once and lives as long as the process: drivers that are unloaded while their threads end take
//!   the process with them.
//! - What the validation layer says is kept on the thread whose call caused it.

use ash::{ext, khr, vk};
use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_void},
    sync::OnceLock,
};

/// The newest interface that is spoken; newer devices speak it too.
pub(super) const NEWEST: u32 = vk::API_VERSION_1_3;
/// The oldest that is enough.
pub(super) const OLDEST: u32 = vk::API_VERSION_1_2;
/// What a machine without a device lacks, and how it can have one.
pub(super) const DRIVER: &str = "driver of Vulkan (the variable VK_DRIVER_FILES names one; scripts/fetch-drivers unpacks two \
                                 that need no GPU)";
const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// An instance.
pub(super) struct Instance {
    /// Keeps the loader's library open.
    _entry: ash::Entry,
    pub(super) raw: ash::Instance,
}

/// Whether the validation layer watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watch {
    No,
    Yes,
}

/// What is missing, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Absent(pub(super) String);

thread_local! {
    static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Takes what the validation layer said on this thread.
pub(super) fn take_messages() -> Vec<String> {
    SAID.with(|said| std::mem::take(&mut *said.borrow_mut()))
}

/// The instance of this process.
pub(super) fn instance(watch: Watch) -> Result<&'static Instance, Absent> {
    static PLAIN: OnceLock<Result<Instance, Absent>> = OnceLock::new();
    static WATCHED: OnceLock<Result<Instance, Absent>> = OnceLock::new();
    let cell = match watch {
        Watch::No => &PLAIN,
        Watch::Yes => &WATCHED,
    };
    cell.get_or_init(|| make(watch)).as_ref().map_err(Clone::clone)
}

fn make(watch: Watch) -> Result<Instance, Absent> {
    // SAFETY: the loader is the system's own library of that name; its initialisers are as safe as any program's that
    // links it.
    let entry = unsafe { ash::Entry::load() }
        .map_err(|error| Absent(format!("Vulkan loader ({error}; Debian has it in libvulkan1)")))?;
    // SAFETY: the entry was loaded above and is alive.
    let version = unsafe { entry.try_enumerate_instance_version() };
    let version = version.ok().flatten().unwrap_or(vk::API_VERSION_1_0);
    if version < OLDEST {
        return Err(Absent("Vulkan loader of version 1.2 or newer".into()));
    }
    let mut extensions: Vec<*const c_char> = Vec::new();
    let mut flags = vk::InstanceCreateFlags::empty();
    if offers(&entry, None, khr::portability_enumeration::NAME) {
        extensions.push(khr::portability_enumeration::NAME.as_ptr());
        flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
    }
    let mut layers: Vec<*const c_char> = Vec::new();
    let mut synchronisation = false;
    if watch == Watch::Yes {
        if !has_layer(&entry) || !offers(&entry, Some(LAYER), ext::debug_utils::NAME) {
            return Err(Absent("validation layer (VK_LAYER_KHRONOS_validation)".into()));
        }
        layers.push(LAYER.as_ptr());
        extensions.push(ext::debug_utils::NAME.as_ptr());
        synchronisation = offers(&entry, Some(LAYER), ext::validation_features::NAME);
        if synchronisation {
            extensions.push(ext::validation_features::NAME.as_ptr());
        }
    }
    let app = vk::ApplicationInfo::default()
        .application_name(c"evenweave")
        .engine_name(c"evenweave")
        .api_version(NEWEST);
    let mut messenger = messenger_info();
    let enabled = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enabled);
    let mut info = vk::InstanceCreateInfo::default()
        .flags(flags)
        .application_info(&app)
        .enabled_extension_names(&extensions)
        .enabled_layer_names(&layers);
    if watch == Watch::Yes {
        info = info.push_next(&mut messenger);
    }
    if synchronisation {
        info = info.push_next(&mut features);
    }
    // SAFETY: all that `info` points to outlives the call; the names are those of offered extensions and layers.
    let raw = unsafe { entry.create_instance(&info, None) }.map_err(|code| match code {
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => Absent(DRIVER.into()),
        code => Absent(format!("Vulkan instance (vkCreateInstance: {code:?})")),
    })?;
    if watch == Watch::Yes {
        let utils = ext::debug_utils::Instance::new(&entry, &raw);
        // SAFETY: the extension was enabled; the callback is a function that lives for ever. The messenger lives as long as
        // the instance, which is never destroyed.
        unsafe { utils.create_debug_utils_messenger(&messenger_info(), None) }
            .map_err(|code| Absent(format!("messenger of the validation layer ({code:?})")))?;
    }
    Ok(Instance { _entry: entry, raw })
}

fn messenger_info() -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(
            vk::DebugUtilsMessageSeverityFlagsEXT::ERROR
                | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING,
        )
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(heard))
}

/// Keeps a message. Must not unwind: it is called from the driver's side.
unsafe extern "system" fn heard(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer gives valid data for the time of the call, or null.
    let text = unsafe { data.as_ref() }.filter(|d| !d.p_message.is_null()).map(|d| {
        // SAFETY: not null, and a C string by the interface's rules.
        unsafe { CStr::from_ptr(d.p_message) }.to_string_lossy().into_owned()
    });
    if let Some(text) = text {
        // A thread that is ending has nobody left to tell.
        let _ = SAID.try_with(|said| {
            if let Ok(mut said) = said.try_borrow_mut() {
                said.push(text);
            }
        });
    }
    vk::FALSE
}

fn has_layer(entry: &ash::Entry) -> bool {
    // SAFETY: the entry is loaded and alive.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
    layers.iter().any(|l| l.layer_name_as_c_str() == Ok(LAYER))
}

fn offers(entry: &ash::Entry, layer: Option<&CStr>, name: &CStr) -> bool {
    // SAFETY: the entry is loaded and alive; the layer, if any, is there.
    let all = unsafe { entry.enumerate_instance_extension_properties(layer) }.unwrap_or_default();
    all.iter().any(|e| e.extension_name_as_c_str() == Ok(name))
}
