//! What a physical device says of itself, and the facts that follow from it.
//!
//! Invariants
//! - Asking opens nothing: no logical device is made here.
//! - Only what is offered is enabled, and only what is enabled becomes a feature of the facts.
//! - What was measured is not known here: `facts.holds` is empty.

use super::instance::{Instance, NEWEST, OLDEST};
use crate::device::DeviceInfo;
use ash::{ext, khr, vk};
use evenweave_codegen::{Controls, FactSet, Facts, Features, Lanes, Matrices};
use evenweave_lang::ir;
use std::ffi::{CStr, c_char};

/// A physical device.
#[derive(Clone, Debug)]
pub(super) struct Hardware {
    pub(super) raw: vk::PhysicalDevice,
    pub(super) info: DeviceInfo,
    pub(super) facts: Facts,
    pub(super) offered: Offered,
    /// Whether a pipeline must ask for the width of its subgroups, because the device has several.
    pub(super) widths_vary: bool,
    pub(super) limits: vk::PhysicalDeviceLimits,
    pub(super) max_allocation_bytes: u64,
    /// The queue family with compute.
    pub(super) family: u32,
    /// Bits of its timestamps that count; 0: it has none.
    pub(super) timestamp_bits: u32,
    pub(super) driver_version: u32,
}

/// What a logical device of it enables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Offered {
    pub(super) robust: bool,
    pub(super) int64: bool,
    pub(super) float64: bool,
    pub(super) int16: bool,
    pub(super) int8: bool,
    pub(super) storage8: bool,
    pub(super) storage16: bool,
    pub(super) buffer_atomics64: bool,
    pub(super) shared_atomics64: bool,
    pub(super) addresses: bool,
    pub(super) memory_model: bool,
    pub(super) memory_model_device: bool,
    pub(super) extended_types: bool,
    pub(super) size_control: bool,
    pub(super) full_subgroups: bool,
    pub(super) integer_dot: bool,
    pub(super) uniform_flow: bool,
    /// The extensions whose features are not part of the device's own version.
    pub(super) size_control_extension: bool,
    pub(super) integer_dot_extension: bool,
    pub(super) portability: bool,
}

/// Widths of subgroups.
struct Widths {
    usual: u32,
    least: u32,
    most: u32,
    most_in_group: u32,
    can_require: bool,
    movement: bool,
}

/// The devices with compute and a version that is new enough, in the loader's order.
pub(super) fn all(instance: &Instance) -> Vec<Hardware> {
    // SAFETY: the instance is alive.
    let raws = unsafe { instance.raw.enumerate_physical_devices() }.unwrap_or_default();
    let mut all = Vec::new();
    for raw in raws {
        if let Some(hardware) = ask(instance, raw, all.len()) {
            all.push(hardware);
        }
    }
    all
}

fn ask(instance: &Instance, raw: vk::PhysicalDevice, index: usize) -> Option<Hardware> {
    // SAFETY: `raw` comes from this instance, which is alive.
    let basic = unsafe { instance.raw.get_physical_device_properties(raw) };
    if basic.api_version < OLDEST {
        return None;
    }
    // SAFETY: `raw` comes from this instance, which is alive.
    let families = unsafe { instance.raw.get_physical_device_queue_family_properties(raw) };
    let family = families
        .iter()
        .position(|f| f.queue_flags.contains(vk::QueueFlags::COMPUTE) && f.queue_count > 0)?;
    // SAFETY: `raw` comes from this instance, which is alive.
    let extensions = unsafe { instance.raw.enumerate_device_extension_properties(raw) };
    let extensions = extensions.unwrap_or_default();
    let has = |name: &CStr| extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
    let core13 = basic.api_version.min(NEWEST) >= vk::API_VERSION_1_3;
    let size_control_extension = !core13 && has(ext::subgroup_size_control::NAME);
    let integer_dot_extension = !core13 && has(khr::shader_integer_dot_product::NAME);
    let uniform_extension = has(khr::shader_subgroup_uniform_control_flow::NAME);

    let mut p11 = vk::PhysicalDeviceVulkan11Properties::default();
    let mut p12 = vk::PhysicalDeviceVulkan12Properties::default();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    let mut p2 = vk::PhysicalDeviceProperties2::default().push_next(&mut p11).push_next(&mut p12);
    if core13 || size_control_extension {
        p2 = p2.push_next(&mut sizes);
    }
    // SAFETY: the chain is of structures that the device's version or extensions know, alive during the call.
    unsafe { instance.raw.get_physical_device_properties2(raw, &mut p2) };

    let mut offered = offered(
        instance,
        raw,
        core13 || size_control_extension,
        core13 || integer_dot_extension,
        uniform_extension,
    );
    offered.size_control_extension = size_control_extension;
    offered.integer_dot_extension = integer_dot_extension;
    offered.portability = has(khr::portability_subset::NAME);

    use vk::SubgroupFeatureFlags as Ops;
    let stage = vk::ShaderStageFlags::COMPUTE;
    let movement = Ops::BASIC | Ops::VOTE | Ops::BALLOT | Ops::SHUFFLE;
    let controlled = offered.size_control && sizes.min_subgroup_size > 0;
    let widths = Widths {
        usual: p11.subgroup_size,
        least: if controlled { sizes.min_subgroup_size } else { p11.subgroup_size },
        most: if controlled { sizes.max_subgroup_size } else { p11.subgroup_size },
        most_in_group: sizes.max_compute_workgroup_subgroups,
        can_require: controlled && sizes.required_subgroup_size_stages.contains(stage),
        movement: p11.subgroup_supported_stages.contains(stage)
            && p11.subgroup_supported_operations.contains(movement),
    };
    let (lanes, widths_vary) = lanes(&widths, &offered);
    let limits = basic.limits;
    let mut max_invocations =
        limits.max_compute_work_group_invocations.min(limits.max_compute_work_group_size[0]);
    if let (true, Lanes::Fixed(lanes)) = (widths_vary, lanes) {
        max_invocations = max_invocations.min(lanes.saturating_mul(widths.most_in_group.max(1)));
    }
    let facts = Facts {
        lanes,
        max_invocations,
        max_shared_bytes: limits.max_compute_shared_memory_size,
        features: features(&offered),
        controls: controls(&p12, &offered),
        holds: FactSet::NONE,
    };
    let driver_info = text(&p12.driver_info);
    let info = DeviceInfo {
        name: format!("vulkan:{index}"),
        description: text(&basic.device_name),
        threads: 0,
        native_lanes: match lanes {
            Lanes::Fixed(lanes) => lanes,
            Lanes::Unknown => widths.usual.max(1),
        },
        driver: text(&p12.driver_name),
        driver_version: if driver_info.is_empty() {
            version(basic.driver_version)
        } else {
            driver_info
        },
        api: format!("Vulkan {}", version(basic.api_version)),
        software: basic.device_type == vk::PhysicalDeviceType::CPU,
        device_uuid: Some(p11.device_uuid),
        driver_uuid: Some(p11.driver_uuid),
        limits: rows(
            instance,
            raw,
            &facts,
            &offered,
            &limits,
            &widths,
            p11.max_memory_allocation_size,
        ),
    };
    Some(Hardware {
        raw,
        info,
        facts,
        offered,
        widths_vary,
        limits,
        max_allocation_bytes: p11.max_memory_allocation_size,
        family: family as u32,
        timestamp_bits: families[family].timestamp_valid_bits,
        driver_version: basic.driver_version,
    })
}

fn offered(
    instance: &Instance,
    raw: vk::PhysicalDevice,
    knows_sizes: bool,
    knows_dot: bool,
    knows_flow: bool,
) -> Offered {
    let mut f11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut f12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlFeatures::default();
    let mut dot = vk::PhysicalDeviceShaderIntegerDotProductFeatures::default();
    let mut flow = vk::PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR::default();
    let mut f2 = vk::PhysicalDeviceFeatures2::default().push_next(&mut f11).push_next(&mut f12);
    if knows_sizes {
        f2 = f2.push_next(&mut sizes);
    }
    if knows_dot {
        f2 = f2.push_next(&mut dot);
    }
    if knows_flow {
        f2 = f2.push_next(&mut flow);
    }
    // SAFETY: the chain is of structures that the device's version or extensions know, alive during the call.
    unsafe { instance.raw.get_physical_device_features2(raw, &mut f2) };
    let f = f2.features;
    let yes = |b: vk::Bool32| b == vk::TRUE;
    Offered {
        robust: yes(f.robust_buffer_access),
        int64: yes(f.shader_int64),
        float64: yes(f.shader_float64),
        int16: yes(f.shader_int16),
        int8: yes(f12.shader_int8),
        storage8: yes(f12.storage_buffer8_bit_access),
        storage16: yes(f11.storage_buffer16_bit_access),
        buffer_atomics64: yes(f12.shader_buffer_int64_atomics),
        shared_atomics64: yes(f12.shader_shared_int64_atomics),
        addresses: yes(f12.buffer_device_address),
        memory_model: yes(f12.vulkan_memory_model),
        memory_model_device: yes(f12.vulkan_memory_model_device_scope),
        extended_types: yes(f12.shader_subgroup_extended_types),
        size_control: yes(sizes.subgroup_size_control),
        full_subgroups: yes(sizes.compute_full_subgroups),
        integer_dot: yes(dot.shader_integer_dot_product),
        uniform_flow: yes(flow.shader_subgroup_uniform_control_flow),
        ..Offered::default()
    }
}

/// How the logical subgroup lies on the hardware's, and whether the width must be asked for: 32 where it can be had, else
/// the nearest below, else the least.
fn lanes(widths: &Widths, offered: &Offered) -> (Lanes, bool) {
    let whole = widths.least.is_power_of_two() && widths.most.is_power_of_two();
    if !(widths.movement && offered.full_subgroups && whole) {
        return (Lanes::Unknown, false);
    }
    if widths.least == widths.most {
        return (Lanes::Fixed(widths.least), false);
    }
    if !widths.can_require {
        return (Lanes::Unknown, false);
    }
    (Lanes::Fixed(ir::SUBGROUP_LANES.clamp(widths.least, widths.most)), true)
}

fn features(offered: &Offered) -> Features {
    Features {
        int64: offered.int64,
        float64: offered.float64,
        int16: offered.int16,
        storage8: offered.storage8,
        storage16: offered.storage16,
        atomics64: offered.int64 && offered.buffer_atomics64 && offered.shared_atomics64,
        addresses: offered.addresses,
        matrices: Matrices::None,
        wide_matrices: false,
        narrow_bf16: false,
    }
}

/// Only what may be declared: where the widths cannot differ, a control is offered for all of them or for none.
fn controls(p: &vk::PhysicalDeviceVulkan12Properties, offered: &Offered) -> Controls {
    use vk::ShaderFloatControlsIndependence as Independence;
    let yes = |b: vk::Bool32| b == vk::TRUE;
    let alone = |independence, b32: bool, b64: bool, b16: bool| match independence {
        Independence::ALL => (b32, b64),
        Independence::TYPE_32_ONLY => (b32, b64 && b16),
        _ => (b32 && b64 && b16, b32 && b64 && b16),
    };
    let (rte32, rte64) = alone(
        p.rounding_mode_independence,
        yes(p.shader_rounding_mode_rte_float32),
        yes(p.shader_rounding_mode_rte_float64),
        yes(p.shader_rounding_mode_rte_float16),
    );
    let (denorm32, denorm64) = alone(
        p.denorm_behavior_independence,
        yes(p.shader_denorm_preserve_float32),
        yes(p.shader_denorm_preserve_float64),
        yes(p.shader_denorm_preserve_float16),
    );
    Controls {
        rte32,
        rte64: rte64 && offered.float64,
        nan32: yes(p.shader_signed_zero_inf_nan_preserve_float32),
        nan64: yes(p.shader_signed_zero_inf_nan_preserve_float64) && offered.float64,
        denorm32,
        denorm64: denorm64 && offered.float64,
        uniform_flow: offered.uniform_flow,
    }
}

fn rows(
    instance: &Instance,
    raw: vk::PhysicalDevice,
    facts: &Facts,
    offered: &Offered,
    limits: &vk::PhysicalDeviceLimits,
    widths: &Widths,
    max_allocation_bytes: u64,
) -> Vec<(&'static str, String)> {
    let word = |b: bool| if b { "yes" } else { "no" }.to_string();
    // SAFETY: `raw` comes from this instance, which is alive.
    let memory = unsafe { instance.raw.get_physical_device_memory_properties(raw) };
    use vk::MemoryPropertyFlags as Flags;
    let heap: u64 = memory
        .memory_heaps_as_slice()
        .iter()
        .filter(|h| h.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL))
        .map(|h| h.size)
        .sum();
    let both = Flags::DEVICE_LOCAL | Flags::HOST_VISIBLE | Flags::HOST_CACHED;
    let direct = memory.memory_types_as_slice().iter().any(|t| t.property_flags.contains(both));
    let groups = limits.max_compute_work_group_count;
    let f = &facts.features;
    vec![
        ("device memory bytes", heap.to_string()),
        ("one allocation bytes", max_allocation_bytes.to_string()),
        ("one binding bytes", limits.max_storage_buffer_range.to_string()),
        ("host-visible memory", word(direct)),
        ("threads of a group", facts.max_invocations.to_string()),
        ("shared bytes of a group", facts.max_shared_bytes.to_string()),
        ("groups of a dispatch", format!("{} x {} x {}", groups[0], groups[1], groups[2])),
        ("buffers of a kernel", limits.max_per_stage_descriptor_storage_buffers.to_string()),
        ("subgroup lanes", format!("{} ({} to {})", facts.lanes, widths.least, widths.most)),
        ("full subgroups", word(offered.full_subgroups)),
        ("lanes move", word(widths.movement)),
        ("uniform control flow", word(offered.uniform_flow)),
        ("64-bit integers", word(f.int64)),
        ("64-bit floats", word(f.float64)),
        ("64-bit atomics", word(f.atomics64)),
        ("8-bit buffers", word(f.storage8)),
        ("16-bit buffers", word(f.storage16)),
        ("buffer addresses", word(f.addresses)),
        ("integer dot products", word(offered.integer_dot)),
        ("robust buffer access", word(offered.robust)),
        ("f32 rounds to nearest even", word(facts.controls.rte32)),
        ("f32 keeps zeros' signs and NaN", word(facts.controls.nan32)),
        ("f32 keeps subnormals", word(facts.controls.denorm32)),
        ("timestamps", word(limits.timestamp_period > 0.0)),
    ]
}

fn version(v: u32) -> String {
    let (major, minor) = (vk::api_version_major(v), vk::api_version_minor(v));
    format!("{major}.{minor}.{}", vk::api_version_patch(v))
}

/// The text of a fixed array; what a driver fails to end is cut off at the array's end.
fn text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(usual: u32, least: u32, most: u32) -> Widths {
        Widths { usual, least, most, most_in_group: 32, can_require: true, movement: true }
    }

    const FULL: fn() -> Offered = || Offered { full_subgroups: true, ..Offered::default() };

    #[test]
    fn subgroups_are_32_where_they_can_be() {
        let fixed = |usual, least, most| lanes(&widths(usual, least, most), &FULL());
        assert_eq!(fixed(8, 8, 8), (Lanes::Fixed(8), false));
        assert_eq!(fixed(64, 32, 64), (Lanes::Fixed(32), true));
        assert_eq!(fixed(32, 8, 32), (Lanes::Fixed(32), true));
        assert_eq!(fixed(16, 8, 16), (Lanes::Fixed(16), true));
        assert_eq!(fixed(64, 64, 128), (Lanes::Fixed(64), true));
    }

    #[test]
    fn a_width_that_cannot_be_relied_on_is_unknown() {
        let unknown = (Lanes::Unknown, false);
        assert_eq!(lanes(&widths(32, 32, 32), &Offered::default()), unknown);
        assert_eq!(lanes(&Widths { movement: false, ..widths(32, 32, 32) }, &FULL()), unknown);
        assert_eq!(lanes(&Widths { can_require: false, ..widths(32, 8, 32) }, &FULL()), unknown);
        assert_eq!(lanes(&widths(24, 24, 24), &FULL()), unknown);
    }

    #[test]
    fn controls_that_cannot_differ_are_offered_together() {
        use vk::ShaderFloatControlsIndependence as Independence;
        let offered = Offered { float64: true, ..Offered::default() };
        let p = |independence| vk::PhysicalDeviceVulkan12Properties {
            rounding_mode_independence: independence,
            shader_rounding_mode_rte_float32: vk::TRUE,
            shader_rounding_mode_rte_float64: vk::FALSE,
            shader_rounding_mode_rte_float16: vk::TRUE,
            ..Default::default()
        };
        assert!(controls(&p(Independence::ALL), &offered).rte32);
        assert!(controls(&p(Independence::TYPE_32_ONLY), &offered).rte32);
        assert!(!controls(&p(Independence::NONE), &offered).rte32);
    }
}
