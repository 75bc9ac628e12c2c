//! Options: how they are declared, and what happens when they are set.

use uci::{OptionDeclaration, OptionKind};

use crate::check::rule::{Check, CheckResult, Finding, ensure, fail, must, not_applicable, practice, should};
use crate::check::session::{Session, first_word};
use crate::check::test_position::{MIDDLE_GAME, STARTPOS, TestPosition};

pub(super) const CHECKS: &[Check] = &[
    must("option.syntax", "There are 5 different types of options the engine can send", syntax),
    must("option.spin", "a spin wheel that can be an integer in a certain range", spins),
    must("option.check", "a checkbox that can either be true or false", checks),
    must("option.combo", "a combo box that can have different predefined strings as a value", combos),
    should("option.empty-string", "an empty string has the value <empty>", empty_strings),
    should(
        "option.name-words",
        "The substrings value and name should be avoided in id and x to allow unambiguous parsing",
        name_words,
    ),
    practice("option.unique", "No two options have the same name, in whatever case.", unique),
    must(
        "option.fixed-types",
        "Certain options have a fixed value for id, which means that the semantics of this option is fixed.",
        fixed_types,
    ),
    should(
        "option.hash",
        "the appropriate option name Hash command, which should be supported by all engines!",
        hash,
    ),
    should("option.small-hash", "So the engine should use a very small hash first as default.", small_hash),
    should("option.off-by-default", "type check, should be false by default", off_by_default),
    should("option.elo", "This should always be implemented together with UCI_LimitStrength.", elo_and_limit),
    must(
        "option.multipv-default",
        "the engine supports multi best line or k-best mode. the default value is 1",
        multipv_default,
    ),
    must(
        "option.defaults",
        "If the user wants to change some settings, the GUI will send a setoption command to the engine.",
        set_defaults,
    ),
    must("option.spin-minimum", "min x: the minimum value of this parameter is x", set_minima),
    must("option.buttons", "a button that can be pressed to send a command to the engine", press_buttons),
    must("option.hash-resize", "the value in MB for memory for hash tables can be changed", resize_hash),
    should(
        "option.name-case",
        "The name and value of the option in id should not be case sensitive",
        name_case,
    ),
    should(
        "option.value-case",
        "The name and value of the option in id should not be case sensitive",
        value_case,
    ),
    should(
        "option.unknown",
        "if the engine or the GUI receives an unknown command or token it should just ignore it",
        unknown,
    ),
    practice(
        "option.bad-value",
        "Values out of range or of the wrong type are refused, and the engine goes on.",
        bad_values,
    ),
    practice(
        "option.malformed",
        "Commands without a name or a value are ignored, and the engine goes on.",
        malformed,
    ),
    practice(
        "option.lichess",
        "Move Overhead, Threads, Hash, SyzygyPath and UCI_ShowWDL, which lichess-bot sets by default, are declared.",
        lichess,
    ),
];

/// The lines that declare options, as they came.
fn option_lines(session: &mut Session) -> Result<Vec<String>, Finding> {
    let lines = session.introduction()?;
    Ok(lines.into_iter().map(|line| line.text).filter(|text| first_word(text) == "option").collect())
}

/// The options; where there are none the check does not apply.
fn options(session: &mut Session) -> Result<Vec<OptionDeclaration>, Finding> {
    let options = session.begin()?.options;
    if options.is_empty() { not_applicable("the engine has no options") } else { Ok(options) }
}

fn word_after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|word| *word != keyword).nth(1)
}

fn is_type(line: &str, kind: &str) -> bool {
    word_after(line, "type") == Some(kind)
}

fn syntax(session: &mut Session) -> CheckResult {
    let types = ["check", "spin", "combo", "button", "string"];
    for line in option_lines(session)? {
        ensure(line.starts_with("option name "), || format!("'{line}' does not begin with 'option name'"))?;
        let kind = word_after(&line, "type");
        ensure(kind.is_some_and(|kind| types.contains(&kind)), || {
            format!("'{line}' has none of the five types")
        })?;
    }
    Ok(())
}

fn spins(session: &mut Session) -> CheckResult {
    let lines = option_lines(session)?;
    let spins: Vec<_> = lines.iter().filter(|line| is_type(line, "spin")).collect();
    if spins.is_empty() {
        return not_applicable("the engine has no spins");
    }
    for line in spins {
        let number = |keyword| word_after(line, keyword).and_then(|word| word.parse::<i64>().ok());
        match (number("min"), number("default"), number("max")) {
            (Some(min), Some(default), Some(max)) if (min..=max).contains(&default) => {}
            _ => return fail(format!("'{line}' has no default between its min and max")),
        }
    }
    Ok(())
}

fn checks(session: &mut Session) -> CheckResult {
    let lines = option_lines(session)?;
    let checks: Vec<_> = lines.iter().filter(|line| is_type(line, "check")).collect();
    if checks.is_empty() {
        return not_applicable("the engine has no check options");
    }
    match checks.iter().find(|line| !matches!(word_after(line, "default"), Some("true" | "false"))) {
        Some(line) => fail(format!("'{line}' has no default true or false")),
        None => Ok(()),
    }
}

fn combos(session: &mut Session) -> CheckResult {
    let combos: Vec<_> = options(session)?
        .into_iter()
        .filter(|option| matches!(option.kind, OptionKind::Combo { .. }))
        .collect();
    if combos.is_empty() {
        return not_applicable("the engine has no combos");
    }
    for option in combos {
        if let OptionKind::Combo { default, choices } = &option.kind {
            ensure(choices.contains(default), || {
                format!("the default of {} is none of its values", option.name)
            })?;
        }
    }
    Ok(())
}

fn empty_strings(session: &mut Session) -> CheckResult {
    let lines = option_lines(session)?;
    let strings: Vec<_> = lines.iter().filter(|line| is_type(line, "string")).collect();
    if strings.is_empty() {
        return not_applicable("the engine has no strings");
    }
    match strings.iter().find(|line| word_after(line, "default").is_none()) {
        Some(line) => fail(format!("'{line}' has no default")),
        None => Ok(()),
    }
}

fn name_words(session: &mut Session) -> CheckResult {
    let bad = |option: &&OptionDeclaration| {
        option.name.split_whitespace().any(|word| ["name", "value"].contains(&word.to_lowercase().as_str()))
    };
    match options(session)?.iter().find(bad) {
        Some(option) => fail(format!("the option '{}' cannot be parsed without doubt", option.name)),
        None => Ok(()),
    }
}

fn unique(session: &mut Session) -> CheckResult {
    let mut names: Vec<String> = options(session)?.iter().map(|option| option.name.to_lowercase()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => fail(format!("'{}' is declared twice", pair[0])),
        None => Ok(()),
    }
}

fn fixed_types(session: &mut Session) -> CheckResult {
    const FIXED: [(&str, &str); 16] = [
        ("Hash", "spin"),
        ("NalimovPath", "string"),
        ("NalimovCache", "spin"),
        ("Ponder", "check"),
        ("OwnBook", "check"),
        ("MultiPV", "spin"),
        ("UCI_ShowCurrLine", "check"),
        ("UCI_ShowRefutations", "check"),
        ("UCI_LimitStrength", "check"),
        ("UCI_Elo", "spin"),
        ("UCI_AnalyseMode", "check"),
        ("UCI_Opponent", "string"),
        ("UCI_EngineAbout", "string"),
        ("UCI_ShredderbasesPath", "string"),
        ("UCI_SetPositionValue", "string"),
        ("UCI_Chess960", "check"),
    ];
    for option in options(session)? {
        let fixed = FIXED.iter().find(|(name, _)| *name == option.name);
        if let Some((name, kind)) = fixed {
            ensure(option.kind.word() == *kind, || {
                format!("{name} is a {}, not a {kind}", option.kind.word())
            })?;
        }
    }
    Ok(())
}

fn hash(session: &mut Session) -> CheckResult {
    ensure(session.begin()?.option("Hash").is_some(), || "there is no option Hash".to_owned())
}

fn small_hash(session: &mut Session) -> CheckResult {
    match session.begin_with("Hash")?.kind {
        OptionKind::Spin { default, .. } => ensure(default <= 128, || format!("the default is {default} MB")),
        _ => fail("Hash is no spin"),
    }
}

fn off_by_default(session: &mut Session) -> CheckResult {
    let names = ["UCI_ShowCurrLine", "UCI_ShowRefutations", "UCI_LimitStrength"];
    let mut present = options(session)?;
    present.retain(|option| names.contains(&option.name.as_str()));
    if present.is_empty() {
        return not_applicable("the engine has none of these options");
    }
    match present.iter().find(|option| option.kind == OptionKind::Check { default: true }) {
        Some(option) => fail(format!("{} is on by default", option.name)),
        None => Ok(()),
    }
}

fn elo_and_limit(session: &mut Session) -> CheckResult {
    let identity = session.begin()?;
    match (identity.option("UCI_LimitStrength").is_some(), identity.option("UCI_Elo").is_some()) {
        (true, true) => Ok(()),
        (false, false) => not_applicable("the engine has neither"),
        _ => fail("the engine has only one of UCI_LimitStrength and UCI_Elo"),
    }
}

fn multipv_default(session: &mut Session) -> CheckResult {
    match session.begin_with("MultiPV")?.kind {
        OptionKind::Spin { default: 1, .. } => Ok(()),
        kind => fail(format!("{kind:?}")),
    }
}

fn set_defaults(session: &mut Session) -> CheckResult {
    for option in options(session)? {
        let value = match &option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.clone(),
            OptionKind::String { default } if default.is_empty() => "<empty>".to_owned(),
            OptionKind::String { default } => default.clone(),
            OptionKind::Button => continue,
        };
        session.survive(&format!("setoption name {} value {value}", option.name))?;
    }
    session.expect_alive()
}

fn set_minima(session: &mut Session) -> CheckResult {
    for option in options(session)? {
        if let OptionKind::Spin { default, min, .. } = option.kind {
            session.send(&format!("setoption name {} value {min}", option.name))?;
            session.expect_alive()?;
            session.send(&format!("setoption name {} value {default}", option.name))?;
        }
    }
    session.expect_alive()
}

fn press_buttons(session: &mut Session) -> CheckResult {
    let mut buttons = options(session)?;
    buttons.retain(|option| option.kind == OptionKind::Button);
    if buttons.is_empty() {
        return not_applicable("the engine has no buttons");
    }
    for button in buttons {
        session.send(&format!("setoption name {}", button.name))?;
        session.ready()?;
    }
    session.expect_alive()
}

fn resize_hash(session: &mut Session) -> CheckResult {
    let OptionKind::Spin { min, max, .. } = session.begin_with("Hash")?.kind else {
        return fail("Hash is no spin");
    };
    for megabytes in [1, 32, 2, 64, 16] {
        session.send(&format!("setoption name Hash value {}", i64::clamp(megabytes, min, max)))?;
        session.ready()?;
        session.search(&TestPosition::new(MIDDLE_GAME), "depth 4")?;
    }
    Ok(())
}

fn name_case(session: &mut Session) -> CheckResult {
    session.begin_with("MultiPV")?;
    session.send("setoption name mULTIpv value 2")?;
    session.ready()?;
    let search = session.search(&TestPosition::new(STARTPOS), "depth 4")?;
    let second = search.infos().any(|(info, _)| info.multipv == Some(2));
    ensure(second, || "'setoption name mULTIpv value 2' gave no second line".to_owned())
}

fn value_case(session: &mut Session) -> CheckResult {
    session.begin_with("UCI_ShowWDL")?;
    session.send("setoption name UCI_ShowWDL value TRUE")?;
    session.ready()?;
    let search = session.search(&TestPosition::new(STARTPOS), "depth 6")?;
    let shown = search.infos().any(|(info, _)| info.score.is_some_and(|score| score.wdl.is_some()));
    ensure(shown, || "'setoption name UCI_ShowWDL value TRUE' showed no wdl".to_owned())
}

fn unknown(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("setoption name No Such Thing value 7")?;
    session.send("setoption name UCI_Variant value chess")?;
    session.expect_alive()
}

fn bad_values(session: &mut Session) -> CheckResult {
    session.begin_with("Hash")?;
    for value in ["-1", "0", "abc", "1.5", "99999999999999999999", ""] {
        session.survive(format!("setoption name Hash value {value}").trim_end())?;
    }
    session.expect_alive()
}

fn malformed(session: &mut Session) -> CheckResult {
    session.begin()?;
    for line in
        ["setoption", "setoption name", "setoption value 3", "setoption name value", "setoption Hash 16"]
    {
        session.survive(line)?;
    }
    session.expect_alive()
}

fn lichess(session: &mut Session) -> CheckResult {
    let identity = session.begin()?;
    let names = ["Move Overhead", "Threads", "Hash", "SyzygyPath", "UCI_ShowWDL"];
    let missing: Vec<_> = names.into_iter().filter(|name| identity.option(name).is_none()).collect();
    ensure(missing.is_empty(), || format!("missing: {}", missing.join(", ")))
}
