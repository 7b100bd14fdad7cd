//! The scalar unit: arithmetic, comparisons, EXEC, jumps, and what only costs time on a card.
//!
//! Invariants:
//! - SCC changes exactly where the ISA says so.
//! - What a mode register would change is refused unless it is the mode that everything here computes in.

use super::lanes::{scalar32, scalar64};
use super::wave::Wave;
use crate::env::{Env, Stop};
use crate::fault::Cause;
use crate::inst::{Dst, EXEC, Inst, NO_TARGET, Program};
use crate::ops::{Kind, Op};
use crate::sem::float::{f16_to_f32, f32_to_f16, fma_f16};
use crate::sem::{bits, cvt, num};

/// What a scalar instruction does to the wave's course.
pub(super) enum Flow {
    /// The next instruction follows.
    Next,
    /// The next instruction is this one.
    Jump(u32),
    /// The wave stops.
    Stop(Stop),
}

struct Scalar<'a> {
    wave: &'a mut Wave,
    inst: &'a Inst,
}

impl Scalar<'_> {
    fn a(&self) -> u32 {
        scalar32(self.wave, self.inst.src[0])
    }

    fn b(&self) -> u32 {
        scalar32(self.wave, self.inst.src[1])
    }

    fn wide_a(&self) -> u64 {
        scalar64(self.wave, self.inst.src[0])
    }

    fn wide_b(&self) -> u64 {
        scalar64(self.wave, self.inst.src[1])
    }

    fn float(&self, k: usize) -> f32 {
        f32::from_bits(scalar32(self.wave, self.inst.src[k]))
    }

    fn half(&self, k: usize) -> u16 {
        scalar32(self.wave, self.inst.src[k]) as u16
    }

    fn old(&self) -> u32 {
        if let Dst::Sgpr(r) = self.inst.dst { self.wave.s[usize::from(r & 127)] } else { 0 }
    }

    fn put(&mut self, value: u32) {
        if let Dst::Sgpr(r) = self.inst.dst {
            self.wave.set_sgpr(r, value);
        }
    }

    fn put64(&mut self, value: u64) {
        if let Dst::Sgpr(r) = self.inst.dst {
            self.wave.set_sgpr64(r, value);
        }
    }

    fn put_float(&mut self, value: f32) {
        self.put(value.to_bits());
    }

    fn put_half(&mut self, value: u16) {
        self.put(u32::from(value));
    }

    /// Writes a result, and SCC whether it is something.
    fn put_scc(&mut self, value: u32) {
        self.put(value);
        self.wave.scc = value != 0;
    }

    fn put64_scc(&mut self, value: u64) {
        self.put64(value);
        self.wave.scc = value != 0;
    }

    /// Writes the low half of an exact sum or difference, and SCC whether it left 32 bits.
    fn put_carry(&mut self, exact: i64) {
        self.put(exact as u32);
        self.wave.scc = exact >> 32 != 0;
    }

    fn put_overflow(&mut self, exact: i64) {
        self.put(exact as u32);
        self.wave.scc = exact != i64::from(exact as i32);
    }

    /// Writes the chosen operand, and SCC whether it is the first.
    fn choose(&mut self, first: bool) {
        let value = if first { self.a() } else { self.b() };
        self.put(value);
        self.wave.scc = first;
    }

    /// EXEC becomes a function of the operand and EXEC; the destination is the old EXEC.
    fn save_exec(&mut self, f: impl Fn(u32, u32) -> u32) {
        let old = self.wave.exec();
        let new = f(self.a(), old);
        self.put(old);
        self.wave.set_sgpr(EXEC, new);
        self.wave.scc = new != 0;
    }

    fn save_exec64(&mut self, f: impl Fn(u64, u64) -> u64) {
        let old = self.wave.sgpr64(EXEC);
        let new = f(self.wide_a(), old);
        self.put64(old);
        self.wave.set_sgpr64(EXEC, new);
        self.wave.scc = new != 0;
    }

    /// EXEC and the destination become a function of the operand and EXEC.
    fn write_exec(&mut self, f: impl Fn(u64, u64) -> u64, wide: bool) {
        let (operand, old) = if wide {
            (self.wide_a(), self.wave.sgpr64(EXEC))
        } else {
            (u64::from(self.a()), u64::from(self.wave.exec()))
        };
        let new = f(operand, old);
        if wide {
            self.wave.set_sgpr64(EXEC, new);
            self.put64(new);
            self.wave.scc = new != 0;
        } else {
            self.wave.set_sgpr(EXEC, new as u32);
            self.put(new as u32);
            self.wave.scc = new as u32 != 0;
        }
    }
}

/// Executes a scalar operation.
pub(super) fn execute(
    wave: &mut Wave,
    program: &Program,
    inst: &Inst,
    env: &mut Env,
) -> Result<Flow, Cause> {
    if let Some(flow) = control(wave, program, inst, env)? {
        return Ok(flow);
    }
    let mut s = Scalar { wave, inst };
    if words(&mut s) || longs(&mut s) || floats(&mut s) || compares(&mut s) || masks(&mut s) {
        return Ok(Flow::Next);
    }
    Err(Cause::Unsupported { what: inst.op.mnemonic().into() })
}

fn jump(inst: &Inst) -> Result<Option<Flow>, Cause> {
    if inst.target == NO_TARGET {
        let address = inst.pc.wrapping_add(4).wrapping_add_signed(4 * i64::from(inst.imm));
        return Err(Cause::OutsideCode { address });
    }
    Ok(Some(Flow::Jump(inst.target)))
}

fn jump_to(program: &Program, code_base: u64, address: u64) -> Result<Option<Flow>, Cause> {
    let inside = address.wrapping_sub(code_base);
    program
        .index_at(inside)
        .map(|index| Some(Flow::Jump(index)))
        .ok_or(Cause::OutsideCode { address: inside })
}

/// Control flow, barriers and waits; `None` if the operation is none of them.
fn control(
    wave: &mut Wave,
    program: &Program,
    inst: &Inst,
    env: &mut Env,
) -> Result<Option<Flow>, Cause> {
    let next_pc = env.code_base.wrapping_add(inst.pc).wrapping_add(u64::from(inst.size_bytes));
    let taken = match inst.op {
        Op::SBranch => true,
        Op::SCbranchScc0 => !wave.scc,
        Op::SCbranchScc1 => wave.scc,
        Op::SCbranchVccz => wave.vcc() == 0,
        Op::SCbranchVccnz => wave.vcc() != 0,
        Op::SCbranchExecz => wave.exec() == 0,
        Op::SCbranchExecnz => wave.exec() != 0,
        Op::SEndpgm => return Ok(Some(Flow::Stop(Stop::Ended))),
        Op::SCodeEnd => return Err(Cause::Trap { number: 0 }),
        Op::SBarrierSignal | Op::SBarrierSignalIsfirst => {
            let barrier = scalar32(wave, inst.src[0]) as i32;
            if barrier != -1 {
                return Err(Cause::Unsupported { what: format!("barrier {barrier}") });
            }
            let first = env.barrier.signal(env.wave)?;
            if inst.op == Op::SBarrierSignalIsfirst {
                wave.scc = first;
            }
            false
        }
        Op::SBarrierWait => {
            if inst.imm as i16 != -1 {
                return Err(Cause::Unsupported { what: format!("barrier {}", inst.imm as i16) });
            }
            if !env.barrier.wait(env.wave) {
                return Ok(Some(Flow::Stop(Stop::Waiting)));
            }
            false
        }
        Op::SGetpcB64 => {
            Scalar { wave, inst }.put64(next_pc);
            false
        }
        Op::SSetpcB64 => return jump_to(program, env.code_base, scalar64(wave, inst.src[0])),
        Op::SSwappcB64 => {
            let to = scalar64(wave, inst.src[0]);
            Scalar { wave, inst }.put64(next_pc);
            return jump_to(program, env.code_base, to);
        }
        Op::SCallB64 => {
            Scalar { wave, inst }.put64(next_pc);
            true
        }
        Op::SGetregB32 => {
            let value = hardware_register(wave, inst.imm)?;
            Scalar { wave, inst }.put(value);
            false
        }
        Op::SSetregB32 => {
            set_mode(inst.imm, scalar32(wave, inst.src[0]))?;
            false
        }
        // Rounding to nearest, and subnormals that are kept.
        Op::SRoundMode if inst.imm & 0xf == 0 => false,
        Op::SDenormMode if inst.imm & 0xf == 0xf => false,
        Op::SRoundMode | Op::SDenormMode => {
            return Err(Cause::Unsupported {
                what: format!("{} {:#x}", inst.op.mnemonic(), inst.imm),
            });
        }
        // Message 3 gives vector registers back; it is a hint.
        Op::SSendmsg if inst.imm & 0xff == 3 => false,
        Op::SSendmsg => {
            return Err(Cause::Unsupported { what: format!("s_sendmsg {:#x}", inst.imm) });
        }
        Op::SNop
        | Op::SSleep
        | Op::SSleepVar
        | Op::SClause
        | Op::SDelayAlu
        | Op::SWaitAlu
        | Op::SWaitIdle
        | Op::SWakeup
        | Op::SSetprio
        | Op::SWaitLoadcnt
        | Op::SWaitStorecnt
        | Op::SWaitSamplecnt
        | Op::SWaitBvhcnt
        | Op::SWaitExpcnt
        | Op::SWaitDscnt
        | Op::SWaitKmcnt
        | Op::SWaitLoadcntDscnt
        | Op::SWaitStorecntDscnt => false,
        _ => return Ok(None),
    };
    if taken { jump(inst) } else { Ok(Some(Flow::Next)) }
}

/// A field of a hardware register: the mode, or a clock that counts the wave's instructions.
fn hardware_register(wave: &Wave, simm: i32) -> Result<u32, Cause> {
    let (id, offset, width) = (simm & 0x3f, (simm >> 6) & 0x1f, ((simm >> 11) & 0x1f) + 1);
    let value = match id {
        // MODE: subnormals kept.
        1 => 0xf0,
        29 => wave.executed as u32,
        30 => (wave.executed >> 32) as u32,
        _ => return Err(Cause::Unsupported { what: format!("hardware register {id}") }),
    };
    Ok((value >> offset) & (u32::MAX >> (32 - width)))
}

/// Accepts a write of MODE that leaves rounding to nearest and subnormals kept.
fn set_mode(simm: i32, value: u32) -> Result<(), Cause> {
    let (id, offset, width) = (simm & 0x3f, (simm >> 6) & 0x1f, ((simm >> 11) & 0x1f) + 1);
    let field = u32::MAX >> (32 - width);
    let same = id == 1 && (value & field) == ((0xf0 >> offset) & field);
    if same {
        Ok(())
    } else {
        Err(Cause::Unsupported { what: format!("s_setreg_b32 of register {id} to {value:#x}") })
    }
}

fn words(s: &mut Scalar) -> bool {
    let (a, b) = (s.a(), s.b());
    let (wide_a, wide_b) = (i64::from(a), i64::from(b));
    let (signed_a, signed_b) = (i64::from(a as i32), i64::from(b as i32));
    let imm = s.inst.imm;
    match s.inst.op {
        Op::SAddCoU32 => s.put_carry(wide_a + wide_b),
        Op::SSubCoU32 => s.put_carry(wide_a - wide_b),
        Op::SAddCoI32 => s.put_overflow(signed_a + signed_b),
        Op::SSubCoI32 => s.put_overflow(signed_a - signed_b),
        Op::SAddCoCiU32 => s.put_carry(wide_a + wide_b + i64::from(s.wave.scc)),
        Op::SSubCoCiU32 => s.put_carry(wide_a - wide_b - i64::from(s.wave.scc)),
        Op::SAbsdiffI32 => s.put_scc((signed_a - signed_b).unsigned_abs() as u32),
        Op::SLshlB32 => s.put_scc(a << (b & 31)),
        Op::SLshrB32 => s.put_scc(a >> (b & 31)),
        Op::SAshrI32 => s.put_scc(((a as i32) >> (b & 31)) as u32),
        Op::SLshl1AddU32 => s.put_carry((wide_a << 1) + wide_b),
        Op::SLshl2AddU32 => s.put_carry((wide_a << 2) + wide_b),
        Op::SLshl3AddU32 => s.put_carry((wide_a << 3) + wide_b),
        Op::SLshl4AddU32 => s.put_carry((wide_a << 4) + wide_b),
        Op::SMinI32 => s.choose((a as i32) < b as i32),
        Op::SMinU32 => s.choose(a < b),
        Op::SMaxI32 => s.choose(a as i32 >= b as i32),
        Op::SMaxU32 => s.choose(a >= b),
        Op::SAndB32 => s.put_scc(a & b),
        Op::SOrB32 => s.put_scc(a | b),
        Op::SXorB32 => s.put_scc(a ^ b),
        Op::SNandB32 => s.put_scc(!(a & b)),
        Op::SNorB32 => s.put_scc(!(a | b)),
        Op::SXnorB32 => s.put_scc(!(a ^ b)),
        Op::SAndNot1B32 => s.put_scc(a & !b),
        Op::SOrNot1B32 => s.put_scc(a | !b),
        Op::SNotB32 => s.put_scc(!a),
        Op::SBfeU32 => s.put_scc(bits::s_bfe_u64(u64::from(a), b, 32) as u32),
        Op::SBfeI32 => s.put_scc(s_bfe_i32(a, b)),
        Op::SBfmB32 => s.put(((1u32 << (a & 31)) - 1) << (b & 31)),
        Op::SMulI32 => s.put(a.wrapping_mul(b)),
        Op::SMulHiU32 => s.put(((u64::from(a) * u64::from(b)) >> 32) as u32),
        Op::SMulHiI32 => s.put(((signed_a * signed_b) >> 32) as u32),
        Op::SCselectB32 => s.put(if s.wave.scc { a } else { b }),
        Op::SPackLlB32B16 => s.put(cvt::pair(a as u16, b as u16)),
        Op::SPackLhB32B16 => s.put(cvt::pair(a as u16, (b >> 16) as u16)),
        Op::SPackHhB32B16 => s.put(cvt::pair((a >> 16) as u16, (b >> 16) as u16)),
        Op::SPackHlB32B16 => s.put(cvt::pair((a >> 16) as u16, b as u16)),
        Op::SMovB32 => s.put(a),
        Op::SCmovB32 if s.wave.scc => s.put(a),
        Op::SCmovB32 => {}
        Op::SBrevB32 => s.put(a.reverse_bits()),
        Op::SCtzI32B32 => s.put(bits::ctz(a)),
        Op::SClzI32U32 => s.put(bits::clz(a)),
        Op::SClsI32 => s.put(bits::cls(a)),
        Op::SSextI32I8 => s.put(a as i8 as u32),
        Op::SSextI32I16 => s.put(a as i16 as u32),
        Op::SBitset0B32 => s.put(s.old() & !(1 << (a & 31))),
        Op::SBitset1B32 => s.put(s.old() | (1 << (a & 31))),
        Op::SAbsI32 => s.put_scc((a as i32).unsigned_abs()),
        Op::SBcnt0I32B32 => s.put_scc(a.count_zeros()),
        Op::SBcnt1I32B32 => s.put_scc(a.count_ones()),
        Op::SMovkI32 => s.put(imm as u32),
        Op::SCmovkI32 if s.wave.scc => s.put(imm as u32),
        Op::SCmovkI32 => {}
        Op::SAddkCoI32 => s.put_overflow(i64::from(s.old() as i32) + i64::from(imm)),
        Op::SMulkI32 => s.put(s.old().wrapping_mul(imm as u32)),
        _ => return false,
    }
    true
}

/// A signed field of 32 bits; one that reaches past the end is extended from the last bit.
fn s_bfe_i32(a: u32, packed: u32) -> u32 {
    let (offset, width) = (packed & 31, (packed >> 16) & 0x7f);
    let kept = width.min(32);
    if width == 0 {
        return 0;
    }
    let field = ((i64::from(a as i32) >> offset) << (64 - kept)) >> (64 - kept);
    field as u32
}

fn longs(s: &mut Scalar) -> bool {
    let (a, b, n) = (s.wide_a(), s.wide_b(), s.b());
    match s.inst.op {
        Op::SLshlB64 => s.put64_scc(a << (n & 63)),
        Op::SLshrB64 => s.put64_scc(a >> (n & 63)),
        Op::SAshrI64 => s.put64_scc(((a as i64) >> (n & 63)) as u64),
        Op::SAndB64 => s.put64_scc(a & b),
        Op::SOrB64 => s.put64_scc(a | b),
        Op::SXorB64 => s.put64_scc(a ^ b),
        Op::SNandB64 => s.put64_scc(!(a & b)),
        Op::SNorB64 => s.put64_scc(!(a | b)),
        Op::SXnorB64 => s.put64_scc(!(a ^ b)),
        Op::SAndNot1B64 => s.put64_scc(a & !b),
        Op::SOrNot1B64 => s.put64_scc(a | !b),
        Op::SNotB64 => s.put64_scc(!a),
        Op::SBfeU64 => s.put64_scc(bits::s_bfe_u64(a, n, 64)),
        Op::SBfeI64 => s.put64_scc(bits::s_bfe_i64(a as i64, n, 64) as u64),
        Op::SBfmB64 => {
            let value = ((1u64 << (s.a() & 63)) - 1) << (n & 63);
            s.put64(value);
        }
        Op::SCselectB64 => s.put64(if s.wave.scc { a } else { b }),
        Op::SAddNcU64 => s.put64(a.wrapping_add(b)),
        Op::SSubNcU64 => s.put64(a.wrapping_sub(b)),
        Op::SMulU64 => s.put64(a.wrapping_mul(b)),
        Op::SMovB64 => s.put64(a),
        Op::SCmovB64 if s.wave.scc => s.put64(a),
        Op::SCmovB64 => {}
        Op::SBrevB64 => s.put64(a.reverse_bits()),
        Op::SCtzI32B64 => s.put(bits::ctz64(a)),
        Op::SClzI32U64 => s.put(bits::clz64(a)),
        Op::SClsI32I64 => s.put(bits::cls64(a)),
        Op::SBitset0B64 | Op::SBitset1B64 => {
            let Dst::Sgpr(r) = s.inst.dst else {
                return true;
            };
            let (old, bit) = (s.wave.sgpr64(r), 1u64 << (s.a() & 63));
            s.put64(if s.inst.op == Op::SBitset1B64 { old | bit } else { old & !bit });
        }
        Op::SBitreplicateB64B32 => s.put64(bits::replicate(s.a())),
        Op::SBcnt0I32B64 => s.put_scc(a.count_zeros()),
        Op::SBcnt1I32B64 => s.put_scc(a.count_ones()),
        _ => return false,
    }
    true
}

fn floats(s: &mut Scalar) -> bool {
    let (a, b) = (s.float(0), s.float(1));
    let (ha, hb) = (s.half(0), s.half(1));
    let (fa, fb) = (f16_to_f32(ha), f16_to_f32(hb));
    match s.inst.op {
        Op::SAddF32 => s.put_float(a + b),
        Op::SSubF32 => s.put_float(a - b),
        Op::SMulF32 => s.put_float(a * b),
        Op::SMinNumF32 => s.put_float(num::min_num_f32(a, b)),
        Op::SMaxNumF32 => s.put_float(num::max_num_f32(a, b)),
        Op::SMinimumF32 => s.put_float(num::minimum_f32(a, b)),
        Op::SMaximumF32 => s.put_float(num::maximum_f32(a, b)),
        Op::SFmacF32 => s.put_float(a.mul_add(b, f32::from_bits(s.old()))),
        Op::SFmaakF32 | Op::SFmamkF32 => s.put_float(a.mul_add(b, s.float(2))),
        Op::SCvtPkRtzF16F32 => s.put(cvt::pk_rtz(a, b)),
        Op::SCeilF32 => s.put_float(a.ceil()),
        Op::SFloorF32 => s.put_float(a.floor()),
        Op::STruncF32 => s.put_float(a.trunc()),
        Op::SRndneF32 => s.put_float(a.round_ties_even()),
        Op::SCvtF32I32 => s.put_float(s.a() as i32 as f32),
        Op::SCvtF32U32 => s.put_float(s.a() as f32),
        Op::SCvtI32F32 => s.put(a as i32 as u32),
        Op::SCvtU32F32 => s.put(a as u32),
        Op::SCvtF16F32 => s.put_half(f32_to_f16(a)),
        Op::SCvtF32F16 => s.put_float(fa),
        Op::SCvtHiF32F16 => s.put_float(f16_to_f32((s.a() >> 16) as u16)),
        Op::SAddF16 => s.put_half(f32_to_f16(fa + fb)),
        Op::SSubF16 => s.put_half(f32_to_f16(fa - fb)),
        Op::SMulF16 => s.put_half(f32_to_f16(fa * fb)),
        Op::SMinNumF16 => s.put_half(f32_to_f16(num::min_num_f32(fa, fb))),
        Op::SMaxNumF16 => s.put_half(f32_to_f16(num::max_num_f32(fa, fb))),
        Op::SMinimumF16 => s.put_half(f32_to_f16(num::minimum_f32(fa, fb))),
        Op::SMaximumF16 => s.put_half(f32_to_f16(num::maximum_f32(fa, fb))),
        Op::SFmacF16 => s.put_half(fma_f16(ha, hb, s.old() as u16)),
        Op::SCeilF16 => s.put_half(f32_to_f16(fa.ceil())),
        Op::SFloorF16 => s.put_half(f32_to_f16(fa.floor())),
        Op::STruncF16 => s.put_half(f32_to_f16(fa.trunc())),
        Op::SRndneF16 => s.put_half(f32_to_f16(fa.round_ties_even())),
        _ => return false,
    }
    true
}

fn compares(s: &mut Scalar) -> bool {
    let (a, b) = (s.a(), s.b());
    let (ia, ib) = (a as i32, b as i32);
    let (fa, fb) = if s.inst.op.info().src.first() == Some(&Kind::F16) {
        (f16_to_f32(a as u16), f16_to_f32(b as u16))
    } else {
        (f32::from_bits(a), f32::from_bits(b))
    };
    let ordered = fa.partial_cmp(&fb).is_some();
    s.wave.scc = match s.inst.op {
        Op::SCmpEqI32 | Op::SCmpEqU32 => a == b,
        Op::SCmpLgI32 | Op::SCmpLgU32 => a != b,
        Op::SCmpGtI32 => ia > ib,
        Op::SCmpGeI32 => ia >= ib,
        Op::SCmpLtI32 => ia < ib,
        Op::SCmpLeI32 => ia <= ib,
        Op::SCmpGtU32 => a > b,
        Op::SCmpGeU32 => a >= b,
        Op::SCmpLtU32 => a < b,
        Op::SCmpLeU32 => a <= b,
        Op::SBitcmp0B32 => a >> (b & 31) & 1 == 0,
        Op::SBitcmp1B32 => a >> (b & 31) & 1 == 1,
        Op::SBitcmp0B64 => s.wide_a() >> (b & 63) & 1 == 0,
        Op::SBitcmp1B64 => s.wide_a() >> (b & 63) & 1 == 1,
        Op::SCmpEqU64 => s.wide_a() == s.wide_b(),
        Op::SCmpLgU64 => s.wide_a() != s.wide_b(),
        Op::SCmpLtF32 | Op::SCmpLtF16 => fa < fb,
        Op::SCmpEqF32 | Op::SCmpEqF16 => fa == fb,
        Op::SCmpLeF32 | Op::SCmpLeF16 => fa <= fb,
        Op::SCmpGtF32 | Op::SCmpGtF16 => fa > fb,
        Op::SCmpLgF32 | Op::SCmpLgF16 => ordered && fa != fb,
        Op::SCmpGeF32 | Op::SCmpGeF16 => fa >= fb,
        Op::SCmpOF32 | Op::SCmpOF16 => ordered,
        Op::SCmpUF32 | Op::SCmpUF16 => !ordered,
        Op::SCmpNgeF32 | Op::SCmpNgeF16 => !ordered || fa < fb,
        Op::SCmpNlgF32 | Op::SCmpNlgF16 => !ordered || fa == fb,
        Op::SCmpNgtF32 | Op::SCmpNgtF16 => !ordered || fa <= fb,
        Op::SCmpNleF32 | Op::SCmpNleF16 => !ordered || fa > fb,
        Op::SCmpNeqF32 | Op::SCmpNeqF16 => fa != fb,
        Op::SCmpNltF32 | Op::SCmpNltF16 => !ordered || fa >= fb,
        _ => return false,
    };
    true
}

fn masks(s: &mut Scalar) -> bool {
    match s.inst.op {
        Op::SAndSaveexecB32 => s.save_exec(|a, exec| a & exec),
        Op::SOrSaveexecB32 => s.save_exec(|a, exec| a | exec),
        Op::SXorSaveexecB32 => s.save_exec(|a, exec| a ^ exec),
        Op::SNandSaveexecB32 => s.save_exec(|a, exec| !(a & exec)),
        Op::SNorSaveexecB32 => s.save_exec(|a, exec| !(a | exec)),
        Op::SXnorSaveexecB32 => s.save_exec(|a, exec| !(a ^ exec)),
        Op::SAndNot0SaveexecB32 => s.save_exec(|a, exec| !a & exec),
        Op::SOrNot0SaveexecB32 => s.save_exec(|a, exec| !a | exec),
        Op::SAndNot1SaveexecB32 => s.save_exec(|a, exec| a & !exec),
        Op::SOrNot1SaveexecB32 => s.save_exec(|a, exec| a | !exec),
        Op::SAndSaveexecB64 => s.save_exec64(|a, exec| a & exec),
        Op::SOrSaveexecB64 => s.save_exec64(|a, exec| a | exec),
        Op::SXorSaveexecB64 => s.save_exec64(|a, exec| a ^ exec),
        Op::SNandSaveexecB64 => s.save_exec64(|a, exec| !(a & exec)),
        Op::SNorSaveexecB64 => s.save_exec64(|a, exec| !(a | exec)),
        Op::SXnorSaveexecB64 => s.save_exec64(|a, exec| !(a ^ exec)),
        Op::SAndNot0SaveexecB64 => s.save_exec64(|a, exec| !a & exec),
        Op::SOrNot0SaveexecB64 => s.save_exec64(|a, exec| !a | exec),
        Op::SAndNot1SaveexecB64 => s.save_exec64(|a, exec| a & !exec),
        Op::SOrNot1SaveexecB64 => s.save_exec64(|a, exec| a | !exec),
        Op::SAndNot0WrexecB32 => s.write_exec(|a, exec| !a & exec, false),
        Op::SAndNot1WrexecB32 => s.write_exec(|a, exec| a & !exec, false),
        Op::SAndNot0WrexecB64 => s.write_exec(|a, exec| !a & exec, true),
        Op::SAndNot1WrexecB64 => s.write_exec(|a, exec| a & !exec, true),
        _ => return false,
    }
    true
}
