//! The metadata note: what a kernel's arguments are, in MessagePack.
//!
//! Invariants
//! - A kind of argument without a known meaning, or one that only a full runtime could fill in, is an error.
//!
//! Deliberately absent: what tools alone want (register counts, spills, names of types).

use rmpv::Value;

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// An address in global memory.
    GlobalBuffer,
    /// Bytes.
    ByValue,
    /// The offset of dynamic shared memory.
    DynamicSharedPointer,
    /// Groups along x, y or z; the runtime fills it in, like all that follow.
    BlockCount(u8),
    /// Threads of a group along x, y or z.
    GroupSize(u8),
    /// Threads of the last, smaller group along x, y or z.
    Remainder(u8),
    /// The first thread's number along x, y or z.
    GlobalOffset(u8),
    /// Dimensions of the grid.
    GridDims,
    /// Bytes of dynamic shared memory.
    DynamicSharedBytes,
    /// The upper half of addresses in scratch memory.
    PrivateBase,
    /// The upper half of addresses in shared memory.
    SharedBase,
    /// Nothing.
    HiddenNone,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Where it is among the arguments.
    pub offset_bytes: u32,
    /// Its size.
    pub size_bytes: u32,
    /// What it is.
    pub kind: ArgKind,
}

/// Why metadata cannot be read or honoured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// There is no such note.
    #[error("the code object has no note with metadata")]
    Absent,
    /// The note is no MessagePack.
    #[error("the code object's metadata is no MessagePack: {cause}")]
    Syntax {
        /// What the reader says.
        cause: String,
    },
    /// A key is missing, or its value is of another type.
    #[error("the code object's metadata has no {key} that is {expected}")]
    Key {
        /// The key.
        key: &'static str,
        /// The type that was expected.
        expected: &'static str,
    },
    /// Another version of the metadata.
    #[error("the code object's metadata has version {major}.{minor}, expected 1.2")]
    Version {
        /// Before the point.
        major: u64,
        /// After the point.
        minor: u64,
    },
    /// Another processor.
    #[error("the code object's metadata says target {target}, expected gfx1201 or gfx12-generic")]
    Target {
        /// The target.
        target: String,
    },
    /// An argument that nobody here fills in.
    #[error("kernel {kernel}: an argument is of kind {kind}, which is not supported")]
    ArgKind {
        /// The kernel.
        kernel: String,
        /// The kind.
        kind: String,
    },
    /// An argument that lies outside of the arguments.
    #[error(
        "kernel {kernel}: an argument at {offset_bytes} of {size_bytes} bytes is outside of {kernarg_bytes} bytes of arguments"
    )]
    Outside {
        /// The kernel.
        kernel: String,
        /// Where it is.
        offset_bytes: u32,
        /// Its size.
        size_bytes: u32,
        /// The size of all.
        kernarg_bytes: u32,
    },
}

/// What the note says of a kernel.
pub(super) struct KernelNote {
    pub(super) name: String,
    pub(super) symbol: String,
    pub(super) shared_bytes: u32,
    pub(super) scratch_bytes: u32,
    pub(super) kernarg_bytes: u32,
    pub(super) kernarg_align_bytes: u32,
    pub(super) wave_lanes: u32,
    pub(super) max_group_threads: u32,
    pub(super) required_group: Option<[u32; 3]>,
    pub(super) args: Vec<Arg>,
}

pub(super) fn kernels(note: &[u8]) -> Result<Vec<KernelNote>, MetadataError> {
    let mut rest = note;
    let root = rmpv::decode::read_value(&mut rest)
        .map_err(|cause| MetadataError::Syntax { cause: cause.to_string() })?;
    let version = array(&root, "amdhsa.version")?;
    match version.iter().map(Value::as_u64).collect::<Vec<_>>()[..] {
        [Some(1), Some(2)] => {}
        [Some(major), Some(minor)] => return Err(MetadataError::Version { major, minor }),
        _ => return Err(MetadataError::Key { key: "amdhsa.version", expected: "two numbers" }),
    }
    let target = text(&root, "amdhsa.target")?;
    if !(target.ends_with("--gfx1201") || target.ends_with("--gfx12-generic")) {
        return Err(MetadataError::Target { target });
    }
    array(&root, "amdhsa.kernels")?.iter().map(kernel).collect()
}

fn kernel(value: &Value) -> Result<KernelNote, MetadataError> {
    let name = text(value, ".name")?;
    let kernarg_bytes = number(value, ".kernarg_segment_size")?;
    let args = match get(value, ".args") {
        None => Vec::new(),
        Some(_) => array(value, ".args")?
            .iter()
            .map(|value| arg(value, &name, kernarg_bytes))
            .collect::<Result<_, _>>()?,
    };
    let required_group = match get(value, ".reqd_workgroup_size") {
        None => None,
        Some(_) => Some(three(array(value, ".reqd_workgroup_size")?)?),
    };
    Ok(KernelNote {
        symbol: text(value, ".symbol")?,
        shared_bytes: number(value, ".group_segment_fixed_size")?,
        scratch_bytes: number(value, ".private_segment_fixed_size")?,
        kernarg_bytes,
        kernarg_align_bytes: number(value, ".kernarg_segment_align")?,
        wave_lanes: number(value, ".wavefront_size")?,
        max_group_threads: number(value, ".max_flat_workgroup_size")?,
        required_group,
        args,
        name,
    })
}

fn three(values: &[Value]) -> Result<[u32; 3], MetadataError> {
    let numbers: Option<Vec<u32>> =
        values.iter().map(|value| value.as_u64().and_then(|v| u32::try_from(v).ok())).collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or(MetadataError::Key { key: ".reqd_workgroup_size", expected: "three numbers" })
}

fn arg(value: &Value, kernel: &str, kernarg_bytes: u32) -> Result<Arg, MetadataError> {
    let (offset_bytes, size_bytes) = (number(value, ".offset")?, number(value, ".size")?);
    let kind = text(value, ".value_kind")?;
    let Some(kind) = arg_kind(&kind) else {
        return Err(MetadataError::ArgKind { kernel: kernel.to_owned(), kind });
    };
    if u64::from(offset_bytes) + u64::from(size_bytes) > u64::from(kernarg_bytes) {
        let kernel = kernel.to_owned();
        return Err(MetadataError::Outside { kernel, offset_bytes, size_bytes, kernarg_bytes });
    }
    Ok(Arg { offset_bytes, size_bytes, kind })
}

fn arg_kind(kind: &str) -> Option<ArgKind> {
    Some(match kind {
        "global_buffer" => ArgKind::GlobalBuffer,
        "by_value" => ArgKind::ByValue,
        "dynamic_shared_pointer" => ArgKind::DynamicSharedPointer,
        "hidden_block_count_x" => ArgKind::BlockCount(0),
        "hidden_block_count_y" => ArgKind::BlockCount(1),
        "hidden_block_count_z" => ArgKind::BlockCount(2),
        "hidden_group_size_x" => ArgKind::GroupSize(0),
        "hidden_group_size_y" => ArgKind::GroupSize(1),
        "hidden_group_size_z" => ArgKind::GroupSize(2),
        "hidden_remainder_x" => ArgKind::Remainder(0),
        "hidden_remainder_y" => ArgKind::Remainder(1),
        "hidden_remainder_z" => ArgKind::Remainder(2),
        "hidden_global_offset_x" => ArgKind::GlobalOffset(0),
        "hidden_global_offset_y" => ArgKind::GlobalOffset(1),
        "hidden_global_offset_z" => ArgKind::GlobalOffset(2),
        "hidden_grid_dims" => ArgKind::GridDims,
        "hidden_dynamic_lds_size" => ArgKind::DynamicSharedBytes,
        "hidden_private_base" => ArgKind::PrivateBase,
        "hidden_shared_base" => ArgKind::SharedBase,
        "hidden_none" => ArgKind::HiddenNone,
        _ => return None,
    })
}

fn get<'a>(map: &'a Value, key: &str) -> Option<&'a Value> {
    let entries = map.as_map()?;
    entries.iter().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
}

fn array<'a>(map: &'a Value, key: &'static str) -> Result<&'a [Value], MetadataError> {
    get(map, key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .ok_or(MetadataError::Key { key, expected: "a list" })
}

fn text(map: &Value, key: &'static str) -> Result<String, MetadataError> {
    get(map, key)
        .and_then(Value::as_str)
        .map(str::to_owned)
        .ok_or(MetadataError::Key { key, expected: "a text" })
}

fn number(map: &Value, key: &'static str) -> Result<u32, MetadataError> {
    get(map, key)
        .and_then(Value::as_u64)
        .and_then(|value| u32::try_from(value).ok())
        .ok_or(MetadataError::Key { key, expected: "a number of 32 bits" })
}
