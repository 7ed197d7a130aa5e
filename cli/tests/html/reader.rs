//! A reader with a keyboard and with eyes: what the focus meets, and that nothing jumps.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::devtools::Browser;
use super::{RESULTS, page};

fn open(width: u32) -> (Browser, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("page.html");
    fs::write(&file, page(Path::new(RESULTS))).expect("the page can be written");
    (Browser::open(&file, width, 1000), folder)
}

/// The sum of all layout shifts since the page was opened.
const SHIFTS: &str = "new Promise((done) => {
  let sum = 0;
  const add = (entries) => entries.forEach((entry) => { sum += entry.value; });
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    add(observer.takeRecords());
    done(sum);
  }));
})";

#[test]
fn nothing_jumps_while_the_page_opens() {
    for width in [500, 900, 1400] {
        let (mut browser, _folder) = open(width);
        assert_eq!(browser.evaluate(SHIFTS), 0, "in a window of {width}");
        assert_eq!(browser.evaluate("document.body.hidden"), false);
        assert_eq!(browser.console(), [&Value::Null; 0]);
        // That a shift would have been seen.
        browser.evaluate("document.querySelector('header').style.marginTop = '200px'; true");
        let shifts = browser.evaluate(SHIFTS).as_f64().expect("a number");
        assert!(shifts > 0.01, "a shift of 200 pixels counts as {shifts}");
    }
}

/// What a reader looks at stays where it is, whatever is chosen above it.
const PLACES: &str = "scrollTo(0, 0); JSON.stringify(['#dataset', '#answers', '#bar', '#scatter', '#curves', \
    '#table-title', '#scroll'].map((name) => \
    [name, document.querySelector(name).getBoundingClientRect().top]))";

#[test]
fn nothing_jumps_when_the_reader_chooses() {
    let (mut browser, _folder) = open(1400);
    let before = browser.evaluate(PLACES);
    let choices = [
        ("baseline", "select.options[2].value"),
        ("baseline", "''"),
        ("format", "'JSON'"),
        ("format", "''"),
        ("scatter-x", "'zstd3'"),
        ("scatter-y", "'serialize'"),
        ("curve-op", "'serialize'"),
        ("dataset", "'1'"),
        ("dataset", "'2'"),
    ];
    for (id, value) in choices {
        browser.evaluate(&format!(
            "{{ const select = document.getElementById('{id}'); select.value = {value};
               select.dispatchEvent(new Event('change', {{ bubbles: true }})); true }}"
        ));
        let after = browser.evaluate(PLACES);
        assert_eq!(after, before, "{id} = {value}");
    }
    for button in ["#theme", "[data-chip=text]", "[data-sort=size]"] {
        browser.evaluate(&format!("document.querySelector('{button}').click(), true"));
        assert_eq!(browser.evaluate(PLACES), before, "{button}");
    }
}

/// Everything that can be used and is in sight, in the order in which it stands.
const STOPS: &str = "(() => {
  const all = document.querySelectorAll('a[href], button, select, input, summary, [tabindex=\"0\"]');
  const usable = (node) => node.tabIndex >= 0 && !node.disabled
    && node.checkVisibility({ visibilityProperty: true });
  window.stops = [...all].filter(usable);
  return window.stops.length;
})()";

/// Which of them has the focus, and whether that can be seen.
const FOCUS: &str = "(() => {
  const node = document.activeElement;
  const styled = (of, name) => getComputedStyle(of)[name];
  const target = node.querySelector('.target');
  const outlined = styled(node, 'outlineStyle') !== 'none'
    || (target && styled(target, 'strokeWidth') === '2px');
  const { bottom, right } = node.getBoundingClientRect();
  return { at: window.stops.indexOf(node), text: node.outerHTML.slice(0, 90),
    shown: outlined && bottom > 0 && right > 0 };
})()";

#[test]
fn the_tab_key_goes_everywhere_and_shows_where() {
    let (mut browser, _folder) = open(1400);
    let stops = browser.evaluate(STOPS).as_i64().expect("a number");
    assert!(stops > 30, "{stops} places to stop at");
    for stop in 0..stops {
        browser.press("Tab", 9, None);
        let focus = browser.evaluate(FOCUS);
        assert_eq!(focus["at"], stop, "{focus}");
        assert_eq!(focus["shown"], true, "the focus cannot be seen on {focus}");
    }
    assert_eq!(browser.console(), [&Value::Null; 0]);
}

#[test]
fn keys_sort_choose_and_close() {
    let (mut browser, _folder) = open(1400);
    let focus = |browser: &mut Browser, selector: &str| {
        let focused = browser.evaluate(&format!(
            "(document.querySelector('{selector}').focus(), \
              document.activeElement === document.querySelector('{selector}'))"
        ));
        assert_eq!(focused, true, "{selector}");
    };
    focus(&mut browser, "[data-sort=size]");
    browser.press("Enter", 13, Some("\r"));
    let sorted = "document.querySelector('[data-sort=size]').closest('th').ariaSort";
    assert_eq!(browser.evaluate(sorted), "ascending");
    browser.press("Enter", 13, Some("\r"));
    assert_eq!(browser.evaluate(sorted), "descending");

    focus(&mut browser, "[data-choose]");
    let checked = "document.activeElement.checked";
    let before = browser.evaluate(checked);
    browser.press(" ", 32, Some(" "));
    assert_ne!(browser.evaluate(checked), before);

    focus(&mut browser, "#scatter [tabindex=\"0\"]");
    assert_eq!(
        browser.evaluate("document.getElementById('tip').hidden"),
        false
    );
    browser.press("ArrowRight", 39, None);
    let point = "document.activeElement.matches('#scatter [data-point]')";
    assert_eq!(browser.evaluate(point), true);
    browser.press("Escape", 27, None);
    assert_eq!(
        browser.evaluate("document.getElementById('tip').hidden"),
        true
    );
}
