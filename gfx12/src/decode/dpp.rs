//! The DPP word: which lane every lane reads, worked out for 32 lanes.
//!
//! Invariants
//! - A lane map never crosses a row of 16 lanes, nor eight lanes in DPP8.

use super::{Reason, bits};
use crate::inst::{Dpp, DppControl};
use crate::ops::Op;

/// The number of src0 that says DPP16.
pub(super) const DPP16: u16 = 0xfa;
/// The number of src0 that says DPP8.
pub(super) const DPP8: u16 = 0xe9;
/// The number of src0 that says DPP8, reading inactive lanes too.
pub(super) const DPP8_FI: u16 = 0xea;

/// Whether src0 says that a DPP word follows.
pub(super) fn is_dpp(code: u16) -> bool {
    matches!(code, DPP16 | DPP8 | DPP8_FI)
}

/// What a DPP word says.
pub(super) struct DppWord {
    /// The first source: a vector register.
    pub(super) vgpr: u8,
    pub(super) dpp: Dpp,
    /// `neg` and `abs` of DPP16: src0's neg, abs, src1's neg, abs.
    pub(super) modifiers: u8,
}

pub(super) fn dpp_word(op: Op, code: u16, word: u32) -> Result<DppWord, Reason> {
    let vgpr = bits(word, 0, 8) as u8;
    if code != DPP16 {
        let select = std::array::from_fn(|place| bits(word, 8 + 3 * place as u32, 3) as u8);
        let lanes = std::array::from_fn(|lane| (lane & !7) as u8 | select[lane & 7]);
        let dpp = Dpp {
            control: DppControl::Dpp8(select),
            fetch_inactive: code == DPP8_FI,
            lanes,
            write_lanes: u32::MAX,
        };
        return Ok(DppWord { vgpr, dpp, modifiers: 0 });
    }
    let control = bits(word, 8, 9) as u16;
    super::unused(op, "bit 17 of DPP16", bits(word, 17, 1))?;
    let (row_mask, bank_mask) = (bits(word, 28, 4) as u8, bits(word, 24, 4) as u8);
    let mut lanes = [Dpp::OUTSIDE; 32];
    for (lane, from) in lanes.iter_mut().enumerate() {
        *from = source_lane(control, lane as u8).ok_or(Reason::DppControl { op, control })?;
    }
    let allowed = |lane: u32| (row_mask >> (lane / 16)) & (bank_mask >> (lane % 16 / 4)) & 1 == 1;
    let write_lanes = (0..32).filter(|&lane| allowed(lane)).fold(0, |mask, lane| mask | 1 << lane);
    let dpp = Dpp {
        control: DppControl::Dpp16 {
            control,
            row_mask,
            bank_mask,
            bound_ctrl: bits(word, 19, 1) == 1,
        },
        fetch_inactive: bits(word, 18, 1) == 1,
        lanes,
        write_lanes,
    };
    Ok(DppWord { vgpr, dpp, modifiers: bits(word, 20, 4) as u8 })
}

/// The lane that `lane` reads, `OUTSIDE` where the pattern leads out of its row; nothing if there is no such pattern.
fn source_lane(control: u16, lane: u8) -> Option<u8> {
    let (row, place) = (lane & !15, lane & 15);
    let by = (control & 15) as u8;
    let within = |place: u8| if place < 16 { row | place } else { Dpp::OUTSIDE };
    Some(match control {
        0x000..=0x0ff => (lane & !3) | (control >> (2 * (lane & 3)) & 3) as u8,
        0x101..=0x10f => within(place + by),
        0x111..=0x11f => within(place.wrapping_sub(by)),
        0x121..=0x12f => row | (place.wrapping_sub(by) & 15),
        0x140 => row | (15 - place),
        0x141 => row | (place ^ 7),
        0x150..=0x15f => row | by,
        0x160..=0x16f => row | (place ^ by),
        _ => return None,
    })
}
