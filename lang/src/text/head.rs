//! Reads what stands before the instructions: name, parameters, geometry, arrays and registers.

use super::{ParseCause, ParseError, cursor::Cursor, is_plain_kernel_name};
use crate::{
    dtype::DType,
    ir::*,
    launch::{Len, LenOp},
};

/// Operations and parentheses of all lengths of a kernel, at most: who walks a length recurses.
const MAX_LEN_OPS: usize = 1000;

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    Param(Param),
    Array(Array),
    Var(Var),
}

/// The names of parameters, arrays and registers, in the order of their numbers.
#[derive(Default)]
pub(super) struct Symbols(Vec<(String, Symbol)>);

impl Symbols {
    fn declare(&mut self, c: &mut Cursor<'_>, symbol: Symbol) -> Result<String, ParseError> {
        let at = c.at();
        let (name, number) = spelling(c)?;
        if number.is_some_and(|number| number != self.0.len()) {
            let want = format!("number #{}", self.0.len());
            return c.error(at, ParseCause::Expected { want, found: "another number".into() });
        }
        self.0.push((name.clone(), symbol));
        Ok(name)
    }

    /// What the name at the cursor stands for.
    pub(super) fn reference(&self, c: &mut Cursor<'_>) -> Result<Symbol, ParseError> {
        let at = c.at();
        let (name, number) = spelling(c)?;
        self.find(c, at, &name, number)
    }

    fn find(
        &self,
        c: &Cursor<'_>,
        at: usize,
        name: &str,
        number: Option<usize>,
    ) -> Result<Symbol, ParseError> {
        let mut found = (self.0.iter().enumerate())
            .filter(|(i, (known, _))| known == name && number.is_none_or(|number| number == *i))
            .map(|(_, &(_, symbol))| symbol);
        match (found.next(), found.next()) {
            (Some(symbol), None) => Ok(symbol),
            (Some(_), Some(_)) => c.error(at, ParseCause::Ambiguous { name: name.into() }),
            (None, _) => c.error(at, ParseCause::Unknown { what: "name", name: name.into() }),
        }
    }
}

/// A name as written, and the number behind its `#`.
fn spelling(c: &mut Cursor<'_>) -> Result<(String, Option<usize>), ParseError> {
    let name = if c.peek('"') { c.string()? } else { c.word("a name")?.to_string() };
    let number = if c.eat('#') { Some(c.integer("a number")?) } else { None };
    Ok((name, number))
}

/// Reads up to the first instruction.
pub(super) fn parse(c: &mut Cursor<'_>) -> Result<(Kernel, Symbols), ParseError> {
    c.expect_word("kernel")?;
    let mut head = Head { symbols: Symbols::default(), names: Vec::new(), ops: 0 };
    let name = kernel_name(c)?;
    c.expect('(')?;
    let mut params = Vec::new();
    while !c.eat(')') {
        params.push(head.param(c, params.len())?);
        if !c.peek(')') {
            c.expect(',')?;
        }
    }
    c.expect_word("group")?;
    let group = axes(c, 1, |c| c.integer("a number of threads"))?;
    let lanes = match c.peek_word() {
        "lanes" => {
            c.expect_word("lanes")?;
            c.integer("a number of lanes")?
        }
        _ => SUBGROUP_LANES,
    };
    c.expect_word("grid")?;
    let mut grid = axes(c, Len::Const(1), |c| head.len(c))?;

    let lens = params.iter_mut().flat_map(|param: &mut ParamDecl| match &mut param.kind {
        ParamKind::Scalar(_) => &mut [],
        ParamKind::Buffer { len, .. } => std::slice::from_mut(len),
        ParamKind::View { shape, .. } => shape.as_mut_slice(),
    });
    for len in lens.chain(&mut grid) {
        head.resolve(c, len)?;
    }
    let mut kernel = Kernel {
        name,
        files: Vec::new(),
        params,
        group,
        lanes,
        grid,
        arrays: Vec::new(),
        vars: Vec::new(),
        insts: Vec::new(),
        blocks: Vec::new(),
        body: Block(0),
    };
    let mut symbols = head.symbols;
    declarations(c, &mut kernel, &mut symbols)?;
    Ok((kernel, symbols))
}

fn kernel_name(c: &mut Cursor<'_>) -> Result<String, ParseError> {
    if c.peek('"') {
        return c.string();
    }
    let at = c.at();
    let name = c.run(|c| c != '(' && c != '\n').trim_end();
    if is_plain_kernel_name(name) {
        return Ok(name.into());
    }
    c.error(at, ParseCause::Unknown { what: "kernel name (quote it)", name: name.into() })
}

fn declarations(
    c: &mut Cursor<'_>,
    kernel: &mut Kernel,
    symbols: &mut Symbols,
) -> Result<(), ParseError> {
    loop {
        let space = match c.peek_word() {
            "shared" => Space::Shared,
            "private" => Space::Private,
            "var" => break,
            _ => return Ok(()),
        };
        c.word("an array")?;
        let array = Array::at(kernel.arrays.len());
        let name = symbols.declare(c, Symbol::Array(array))?;
        c.expect(':')?;
        let dtype = dtype(c)?;
        c.expect('[')?;
        let elems = c.integer("a number of elements")?;
        c.expect(']')?;
        kernel.arrays.push(ArrayDecl { name, space, dtype, elems });
    }
    while c.eat_word("var") {
        let name = symbols.declare(c, Symbol::Var(Var::at(kernel.vars.len())))?;
        c.expect(':')?;
        kernel.vars.push(VarDecl { name, dtype: dtype(c)? });
    }
    match c.peek_word() {
        "shared" | "private" => c.expected("arrays above registers"),
        _ => Ok(()),
    }
}

fn dtype(c: &mut Cursor<'_>) -> Result<DType, ParseError> {
    let at = c.at();
    let name = c.word("a dtype")?;
    match DType::parse(name) {
        Some(dtype) => Ok(dtype),
        None => c.error(at, ParseCause::Unknown { what: "dtype", name: name.into() }),
    }
}

/// `x`, `[x, y]` or `[x, y, z]`; what is left out is `one`.
fn axes<T: Clone>(
    c: &mut Cursor<'_>,
    one: T,
    mut each: impl FnMut(&mut Cursor<'_>) -> Result<T, ParseError>,
) -> Result<[T; 3], ParseError> {
    let mut all = [one.clone(), one.clone(), one];
    if !c.eat('[') {
        all[0] = each(c)?;
        return Ok(all);
    }
    for (i, axis) in all.iter_mut().enumerate() {
        if i > 0 && !c.eat(',') {
            break;
        }
        *axis = each(c)?;
    }
    c.expect(']')?;
    Ok(all)
}

/// Lengths may name parameters declared after them: while they are read, a `Param` in them is a number in
/// `names`; `resolve` replaces it.
struct Head {
    symbols: Symbols,
    names: Vec<(usize, String, Option<usize>)>,
    ops: usize,
}

impl Head {
    fn param(&mut self, c: &mut Cursor<'_>, number: usize) -> Result<ParamDecl, ParseError> {
        let name = self.symbols.declare(c, Symbol::Param(Param::at(number)))?;
        c.expect(':')?;
        let access = match c.peek_word() {
            "in" => Access::In,
            "out" => Access::Out,
            "inout" => Access::InOut,
            _ => return Ok(ParamDecl { name, kind: ParamKind::Scalar(dtype(c)?) }),
        };
        c.word("an access")?;
        let is_view = c.eat_word("view");
        let dtype = dtype(c)?;
        c.expect('[')?;
        let len = self.len(c)?;
        let kind = if is_view {
            let mut shape = vec![len];
            while c.eat(',') {
                shape.push(self.len(c)?);
            }
            ParamKind::View { dtype, access, shape }
        } else {
            ParamKind::Buffer { dtype, access, len }
        };
        c.expect(']')?;
        Ok(ParamDecl { name, kind })
    }

    fn resolve(&self, c: &Cursor<'_>, len: &mut Len) -> Result<(), ParseError> {
        match len {
            Len::Const(_) => Ok(()),
            Len::Scalar(p) | Len::Extent(p, _) | Len::Length(p) => {
                let (at, name, number) = &self.names[p.index()];
                match self.symbols.find(c, *at, name, *number)? {
                    Symbol::Param(param) => *p = param,
                    Symbol::Array(_) | Symbol::Var(_) => {
                        unreachable!("only parameters are declared so far")
                    }
                }
                Ok(())
            }
            Len::Op(_, a, b) => self.resolve(c, a).and_then(|()| self.resolve(c, b)),
        }
    }

    fn len(&mut self, c: &mut Cursor<'_>) -> Result<Len, ParseError> {
        let mut sum = self.product(c)?;
        loop {
            let op = match () {
                () if c.eat('+') => LenOp::Add,
                () if c.eat('-') => LenOp::Sub,
                () => return Ok(sum),
            };
            sum = pair(op, sum, self.product(c)?);
        }
    }

    fn product(&mut self, c: &mut Cursor<'_>) -> Result<Len, ParseError> {
        let mut product = self.method(c)?;
        loop {
            let op = match () {
                () if c.eat('*') => LenOp::Mul,
                () if c.eat('/') => LenOp::Div,
                () if c.eat('%') => LenOp::Rem,
                () => return Ok(product),
            };
            product = pair(op, product, self.method(c)?);
        }
    }

    /// A number, a name or parentheses, and the methods called on it.
    fn method(&mut self, c: &mut Cursor<'_>) -> Result<Len, ParseError> {
        self.ops += 1;
        if self.ops > MAX_LEN_OPS {
            return c.error(c.at(), ParseCause::Nesting);
        }
        let mut len = if c.eat('(') {
            let len = self.len(c)?;
            c.expect(')')?;
            len
        } else if c.peek('"') || !c.peek_word().is_empty() {
            let at = c.at();
            let (name, number) = spelling(c)?;
            self.names.push((at, name, number));
            Len::Scalar(Param::at(self.names.len() - 1))
        } else {
            Len::Const(c.integer("a length")?)
        };
        while c.eat('.') {
            len = self.call(c, len)?;
        }
        Ok(len)
    }

    fn call(&mut self, c: &mut Cursor<'_>, on: Len) -> Result<Len, ParseError> {
        let at = c.at();
        let method = c.word("a method")?;
        c.expect('(')?;
        let len = match (method, on) {
            ("len", Len::Scalar(p)) => Len::Length(p),
            ("extent", Len::Scalar(p)) => Len::Extent(p, c.integer("an axis")?),
            ("div_ceil", on) => pair(LenOp::DivCeil, on, self.len(c)?),
            ("min", on) => pair(LenOp::Min, on, self.len(c)?),
            ("max", on) => pair(LenOp::Max, on, self.len(c)?),
            _ => {
                let cause = ParseCause::Unknown { what: "method", name: method.into() };
                return c.error(at, cause);
            }
        };
        c.expect(')')?;
        Ok(len)
    }
}

/// Not folded: the text says what the kernel says.
fn pair(op: LenOp, a: Len, b: Len) -> Len {
    Len::Op(op, Box::new(a), Box::new(b))
}
