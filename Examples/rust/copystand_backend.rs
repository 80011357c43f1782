//! The types that a Copystand backend in Rust needs. Copy this file beside yours; it uses the
//! standard library only (Rust 1.63).
//!
//!     mod copystand_backend;
//!     use copystand_backend::*;
//!
//!     struct Lamp;
//!     impl Device for Lamp {
//!         fn capture(&self, sink: &mut Sink, live: bool, limit: Option<u64>) -> Outcome<()> {
//!             let page = Page { resolution: Some(300.0), ..Page::new("gray8", 2480, 3508) };
//!             sink.begin(&page)?;
//!             sink.write(&pixels)?;
//!             sink.finish(None)
//!         }
//!     }
//!
//!     fn main() {
//!         run("Lamp scanners", "1.0", Lamps);   // Lamps implements Backend
//!     }
//!
//! Return `Err(Failure::new(code, sentence))` for every failure. `capture` runs in parallel to the
//! other methods of its device. Pixels travel in the connection, so the only unsafe code takes over
//! its descriptor. A device is closed by being dropped.
#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::io::FromRawFd;
use std::os::unix::net::UnixStream;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

const PIECE: usize = 1 << 20;
/// Rows are gathered up to this many bytes, or for this long.
const GATHERED: usize = 512 << 10;
const PATIENCE: Duration = Duration::from_millis(250);
const LONGEST_LINE: u64 = 2 << 20;

// --- What you write ---

/// A failure, for the user.
#[derive(Clone, Debug)]
pub struct Failure {
    /// A code of the protocol, such as "offline", "busy", "jammed" or "feederEmpty".
    pub code: String,
    /// One sentence without a full stop that names the value.
    pub message: String,
    /// The next step, if you know more than the code says.
    pub advice: Option<String>,
}

impl Failure {
    pub fn new(code: &str, message: impl Into<String>) -> Failure {
        Failure { code: code.into(), message: message.into(), advice: None }
    }

    pub fn advising(mut self, advice: &str) -> Failure {
        self.advice = Some(advice.into());
        self
    }

    /// The host has canceled the capture: stop the device and return this error.
    pub fn cancelled() -> Failure {
        Failure::new("cancelled", "the capture was canceled")
    }
}

pub type Outcome<T> = Result<T, Failure>;

/// A device: `kind` is "scanner", "camera" or "files".
#[derive(Clone, Default)]
pub struct About {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub connection: Option<String>,
    pub sources: Vec<String>,
    /// The largest area in millimeters.
    pub area: Option<(f64, f64)>,
    /// "busy", "noPermission" or "offline", with advice on it.
    pub state: Option<(String, String)>,
}

impl About {
    pub fn new(id: &str, name: &str, kind: &str) -> About {
        About { id: id.into(), name: name.into(), kind: kind.into(), ..About::default() }
    }
}

/// The values that an option accepts.
#[derive(Clone)]
pub enum Kind {
    Toggle,
    Integer {
        minimum: i64,
        maximum: i64,
        step: i64,
    },
    /// A `step` of 0 means none.
    Number {
        minimum: f64,
        maximum: f64,
        step: f64,
    },
    IntegerChoice(Vec<i64>),
    Choice(Vec<String>),
    /// Text of at most this many UTF-8 bytes.
    Text(usize),
    /// An action: setting the option performs it.
    Button,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Nothing,
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
}

/// An option with its value now.
#[derive(Clone)]
pub struct Setting {
    /// Lower-case letters, digits and hyphens.
    pub name: String,
    pub title: String,
    pub kind: Kind,
    pub value: Value,
    pub default: Value,
    pub help: Option<String>,
    pub unit: Option<String>,
    pub sensor: Option<String>,
    pub is_active: bool,
    pub is_read_only: bool,
    pub is_advanced: bool,
    /// True when the value names a file or folder, which a user of the network may never choose.
    pub host_path: bool,
}

impl Setting {
    /// An option with its value as the default; the other fields may be changed.
    pub fn new(name: &str, title: &str, kind: Kind, value: Value) -> Setting {
        Setting {
            name: name.into(),
            title: title.into(),
            kind,
            default: value.clone(),
            value,
            help: None,
            unit: None,
            sensor: None,
            is_active: true,
            is_read_only: false,
            is_advanced: false,
            host_path: false,
        }
    }

    /// The option `mode`, which hosts know by its name; `format` returns the format of each mode.
    pub fn mode(value: &str) -> Setting {
        let modes = ["bilevel", "gray", "color"].map(String::from).to_vec();
        Setting::new("mode", "Mode", Kind::Choice(modes), Value::Text(value.into()))
    }

    /// The option `resolution`, in dots per inch, which hosts know by its name.
    pub fn resolution(value: i64, choices: &[i64]) -> Setting {
        let kind = Kind::IntegerChoice(choices.to_vec());
        let unit = Some("dpi".into());
        Setting { unit, ..Setting::new("resolution", "Resolution", kind, Value::Integer(value)) }
    }

    /// The option `brightness` or `contrast`, from -100 to 100 percent.
    pub fn level(name: &str, title: &str) -> Setting {
        let kind = Kind::Number { minimum: -100.0, maximum: 100.0, step: 0.0 };
        let unit = Some("percent".into());
        Setting { unit, ..Setting::new(name, title, kind, Value::Number(0.0)) }
    }
}

/// The format of pages in a mode, with 8 bits a sample; None for an unknown mode.
pub fn format(mode: &str) -> Option<&'static str> {
    match mode {
        "bilevel" => Some("bilevel"),
        "gray" => Some("gray8"),
        "color" => Some("rgb8"),
        _ => None,
    }
}

/// A driver's value for a level: 0 percent is the middle of its range.
pub fn level_in(percent: f64, lowest: f64, highest: f64) -> f64 {
    lowest + (percent.clamp(-100.0, 100.0) + 100.0) / 200.0 * (highest - lowest)
}

/// A camera's settings for a frame: seconds, a factor, diopters, degrees Celsius, seconds of
/// `CLOCK_MONOTONIC`.
#[derive(Clone, Default)]
pub struct Metadata {
    pub exposure: Option<f64>,
    pub gain: Option<f64>,
    pub focus: Option<f64>,
    pub temperature: Option<f64>,
    pub monotonic: Option<f64>,
}

/// A page, or a frame of a camera.
#[derive(Clone, Default)]
pub struct Page {
    /// "bilevel", "gray8", "gray16", "rgb8" or "rgb16"; live also "yuyv", "uyvy", "nv12", "jpeg".
    pub format: String,
    pub width: usize,
    /// 0 for a page whose height is unknown before its end.
    pub height: usize,
    /// 0 for packed rows.
    pub stride: usize,
    /// Dots per inch.
    pub resolution: Option<f64>,
    pub label: Option<String>,
    pub expected: Option<u64>,
    /// The time of the exposure, in seconds.
    pub time: Option<f64>,
    /// The most bytes that a "jpeg" may take.
    pub capacity: Option<u64>,
    /// "scan", "photo", "screenshot", "rendered" or "digital".
    pub origin: Option<String>,
    /// The reliability of the resolution: "measured", "stated" or "guessed".
    pub size: Option<String>,
    /// True if the picture's edges are the page's own.
    pub edges_are_paper: Option<bool>,
    /// Sentences for users about a page that can still be used.
    pub problems: Vec<String>,
    pub metadata: Option<Metadata>,
}

impl Page {
    pub fn new(format: &str, width: usize, height: usize) -> Page {
        Page { format: format.into(), width, height, ..Page::default() }
    }
}

/// An open device.
pub trait Device: Send + Sync {
    /// The description of a device that is opened without being listed.
    fn about(&self) -> Option<About> {
        None
    }
    /// The options of the open device.
    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }
    /// Brings sensors up to date; called only when the host reads the options.
    fn read(&self, _settings: &mut [Setting]) -> Outcome<()> {
        Ok(())
    }
    /// Sends a checked value to the device; true if other options changed too, whose new values are
    /// then in `settings`.
    fn changed(&self, _name: &str, _value: &Value, _settings: &mut [Setting]) -> Outcome<bool> {
        Ok(false)
    }
    /// Captures until the source is empty or `limit` is reached; with `live`, until canceled.
    fn capture(&self, sink: &mut Sink, live: bool, limit: Option<u64>) -> Outcome<()>;
    /// Called on another thread when the capture is canceled; must end a call in which the capture
    /// waits.
    fn cancel(&self) {}
}

/// A source of devices.
pub trait Backend: Send + Sync + 'static {
    /// The devices that can be seen now, and the problems that kept others from being found.
    fn devices(&self, quick: bool) -> Outcome<(Vec<About>, Vec<Failure>)>;
    /// Opens a device; a failure "noSuchDevice" when there is no device with that id.
    fn open(&self, id: &str) -> Outcome<Box<dyn Device>>;
    /// Runs on a separate thread once the host is connected.
    fn watch(&self, _host: &Host) {}
}

/// The bytes of a path that the host sent, such as an id.
pub fn path_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        match (character as u32).wrapping_sub(0x10FF00) {
            byte @ (1..=0x1F | 0x7F..=0xFF) => bytes.push(byte as u8),
            _ => bytes.extend(character.to_string().bytes()),
        }
    }
    bytes
}

/// The fewest bytes that a row takes.
pub fn row_bytes(format: &str, width: usize) -> usize {
    match format {
        "bilevel" => (width + 7) / 8,
        "gray8" => width,
        "gray16" => width * 2,
        "rgb8" => width * 3,
        "rgb16" => width * 6,
        "yuyv" | "uyvy" => (width + 1) / 2 * 4,
        "nv12" => (width + 1) / 2 * 2,
        _ => 0,
    }
}

// --- What you call ---

/// The connection to the host.
#[derive(Clone)]
pub struct Host(Arc<Mutex<UnixStream>>);

impl Host {
    pub fn added(&self, device: &About) {
        let _ = self.tell(&[("event", text("deviceAdded")), ("device", device.json())]);
    }
    pub fn updated(&self, device: &About) {
        let _ = self.tell(&[("event", text("deviceChanged")), ("device", device.json())]);
    }
    pub fn removed(&self, id: &str) {
        let _ = self.tell(&[("event", text("deviceRemoved")), ("id", text(id))]);
    }
    /// Writes to the host's log; `level` is "debug", "info", "warning" or "error".
    pub fn log(&self, level: &str, message: &str) {
        let fields = [("event", text("log")), ("level", text(level)), ("message", text(message))];
        let _ = self.tell(&fields);
    }

    fn tell(&self, fields: &[(&str, String)]) -> Outcome<()> {
        self.send(fields, &[])
    }

    /// Sends a message and its bytes, which stay together.
    fn send(&self, fields: &[(&str, String)], bytes: &[u8]) -> Outcome<()> {
        let mut line = object(fields);
        if !bytes.is_empty() {
            line.pop();
            let _ = write!(line, ",\"bytes\":{}}}", bytes.len());
        }
        line.push('\n');
        let mut stream = lock(&self.0);
        let sent = stream.write_all(line.as_bytes()).and_then(|_| stream.write_all(bytes));
        sent.map_err(|_| Failure::new("inputOutput", "the host is gone"))
    }
}

/// The destination of a capture's frames.
pub struct Sink {
    host: Host,
    capture: i64,
    limit: Option<u64>,
    settings: Vec<Setting>,
    news: Arc<News>,
    finished: u64,
    open: Option<Open>,
    gathered: Vec<u8>,
    flushed: Instant,
}

struct Open {
    page: Page,
    most: usize,
    written: usize,
    is_wanted: bool,
}

/// The host's messages to a capture, from another thread.
#[derive(Default)]
struct News {
    state: Mutex<NewsState>,
    arrived: Condvar,
}

#[derive(Default)]
struct NewsState {
    frame: i64,
    grant: Option<Json>,
    is_cancelled: bool,
}

impl Sink {
    /// The value that an option had when the capture began.
    pub fn setting(&self, name: &str) -> &Value {
        let found = self.settings.iter().find(|setting| setting.name == name);
        found.map_or(&Value::Nothing, |setting| &setting.value)
    }

    /// Announces a frame, and waits until the host has room. Returns false for a live frame that
    /// the host drops, which only needs `finish`. A failure "tooLarge" leaves the frame's number
    /// free.
    pub fn begin(&mut self, page: &Page) -> Outcome<bool> {
        self.check()?;
        if self.open.is_some() {
            return Err(Failure::new("internalFault", "a frame was not finished"));
        }
        if self.limit.map_or(false, |limit| self.finished >= limit) {
            return Err(Failure::new("internalFault", "a frame was begun after the last one"));
        }
        lock(&self.news.state).grant = None;
        self.gathered.clear();
        let mut fields = vec![
            ("event", text("frame")),
            ("format", text(&page.format)),
            ("width", page.width.to_string()),
        ];
        page.describe(&mut fields);
        self.tell(fields, &[])?;
        let grant = self.await_grant()?;
        if grant.text("event") == Some("refused") {
            let error = grant.get("error");
            let part = |name| error.and_then(|error| error.text(name)).unwrap_or("internalFault");
            return Err(match part("code") {
                "cancelled" => Failure::cancelled(),
                code => Failure::new(code, part("message")),
            });
        }
        let is_wanted = grant.text("way") != Some("drop");
        let most = grant.number("most").unwrap_or(0.0) as usize;
        self.open = Some(Open { page: page.clone(), most, written: 0, is_wanted });
        Ok(is_wanted)
    }

    /// Adds bytes, top row first; they need not end at a row's end.
    pub fn write(&mut self, bytes: &[u8]) -> Outcome<()> {
        self.check()?;
        let open = self.open.as_ref();
        let open = open.ok_or_else(|| Failure::new("internalFault", "no frame was begun"))?;
        if !open.is_wanted {
            return Ok(());
        }
        if open.written + bytes.len() > open.most {
            let message = format!("a frame has more bytes than the {} of its own", open.most);
            return Err(Failure::new("tooLarge", message));
        }
        self.open.iter_mut().for_each(|open| open.written += bytes.len());
        if bytes.len() >= GATHERED {
            self.flush()?;
            return self.send_pixels(bytes);
        }
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED || self.flushed.elapsed() > PATIENCE {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Outcome<()> {
        self.send_pixels(&self.gathered)?;
        self.gathered.clear();
        self.flushed = Instant::now();
        Ok(())
    }

    fn send_pixels(&self, bytes: &[u8]) -> Outcome<()> {
        for piece in bytes.chunks(PIECE) {
            self.tell(vec![("event", text("pixels"))], piece)?;
        }
        Ok(())
    }

    /// Ends the frame. `original`: the JPEG that it was decoded from.
    pub fn finish(&mut self, original: Option<&[u8]>) -> Outcome<()> {
        self.check()?;
        let open = self.open.take();
        let open = open.ok_or_else(|| Failure::new("internalFault", "no frame was begun"))?;
        if open.is_wanted {
            let (rows, least) = open.extent();
            if rows == 0 || open.written < least {
                let written = open.written;
                let message = format!("a frame is incomplete: {written} of {least} bytes came");
                return Err(Failure::new("damagedData", message));
            }
            self.flush()?;
            let mut fields = vec![("event", text("done")), ("rows", rows.to_string())];
            if open.page.format == "jpeg" {
                fields.push(("length", open.written.to_string()));
            }
            if original.is_some() {
                fields.push(("mediaType", text("image/jpeg")));
            }
            self.tell(fields, original.unwrap_or(&[]))?;
            self.finished += 1;
        }
        self.over();
        Ok(())
    }

    /// Reports a page that can't be captured; later pages can still be captured.
    pub fn skip(&mut self, failure: &Failure, label: Option<&str>) -> Outcome<()> {
        self.check()?;
        let mut fields = vec![("event", text("skipped")), ("error", failure.json())];
        label.into_iter().for_each(|label| fields.push(("label", text(label))));
        self.tell(fields, &[])?;
        self.open = None;
        self.over();
        Ok(())
    }

    /// A failure once the host has canceled the capture.
    pub fn check(&self) -> Outcome<()> {
        let is_cancelled = lock(&self.news.state).is_cancelled;
        if is_cancelled {
            Err(Failure::cancelled())
        } else {
            Ok(())
        }
    }

    /// Waits; a failure as soon as the capture is canceled.
    pub fn sleep(&self, time: Duration) -> Outcome<()> {
        let end = Instant::now() + time;
        let mut state = lock(&self.news.state);
        while !state.is_cancelled {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            state = self.news.arrived.wait_timeout(state, left).unwrap().0;
        }
        Err(Failure::cancelled())
    }

    fn await_grant(&self) -> Outcome<Json> {
        let mut state = lock(&self.news.state);
        loop {
            if state.is_cancelled {
                return Err(Failure::cancelled());
            }
            if let Some(grant) = state.grant.take() {
                return Ok(grant);
            }
            state = self.news.arrived.wait(state).unwrap();
        }
    }

    fn over(&mut self) {
        lock(&self.news.state).frame += 1;
    }

    fn tell(&self, mut fields: Vec<(&str, String)>, bytes: &[u8]) -> Outcome<()> {
        fields.push(("capture", self.capture.to_string()));
        fields.push(("frame", lock(&self.news.state).frame.to_string()));
        self.host.send(&fields, bytes)
    }
}

impl Open {
    /// The rows of the frame, and the fewest bytes that they take.
    fn extent(&self) -> (usize, usize) {
        let row = row_bytes(&self.page.format, self.page.width);
        let stride = if self.page.stride > 0 { self.page.stride } else { row };
        if self.page.format == "jpeg" {
            return (self.page.height, 1);
        }
        let rows = match self.page.height {
            0 => (self.written + stride - row) / stride.max(1),
            height => height,
        };
        let color = if self.page.format == "nv12" { (rows + 1) / 2 } else { 0 };
        (rows, (stride * (rows + color) + row).saturating_sub(stride))
    }
}

impl Page {
    fn describe(&self, fields: &mut Vec<(&str, String)>) {
        let mut add = |name, value: Option<String>| {
            value.into_iter().for_each(|value| fields.push((name, value)))
        };
        add("height", Some(self.height).filter(|&it| it > 0).map(|it| it.to_string()));
        add("stride", Some(self.stride).filter(|&it| it > 0).map(|it| it.to_string()));
        add("resolution", self.resolution.map(|it| object(&[("x", num(it)), ("y", num(it))])));
        add("label", self.label.as_deref().map(text));
        add("expected", self.expected.map(|it| it.to_string()));
        add("time", self.time.map(num));
        add("capacity", self.capacity.map(|it| it.to_string()));
        let facts = [
            ("origin", self.origin.as_deref().map(text)),
            ("size", self.size.as_deref().map(text)),
            ("edgesArePaper", self.edges_are_paper.map(|it| it.to_string())),
        ];
        let facts: Vec<(&str, String)> =
            facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        add("facts", Some(object(&facts)).filter(|_| !facts.is_empty()));
        let problems: Vec<String> = self.problems.iter().map(|it| text(it)).collect();
        add("problems", Some(array(&problems)).filter(|_| !problems.is_empty()));
        let metadata = self.metadata.as_ref().map(|it| {
            let known = [
                ("exposure", it.exposure),
                ("gain", it.gain),
                ("focus", it.focus),
                ("temperature", it.temperature),
                ("monotonic", it.monotonic),
            ];
            let known: Vec<(&str, String)> =
                known.iter().filter_map(|&(name, value)| Some((name, num(value?)))).collect();
            object(&known)
        });
        add("metadata", metadata);
    }
}

// --- How it works: nothing below is for you to call ---

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

// Values as JSON.

fn text(value: &str) -> String {
    let mut json = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => {
                json.push('\\');
                json.push(character);
            }
            character if (character as u32) < 0x20 => {
                let _ = write!(json, "\\u{:04x}", character as u32);
            }
            character => json.push(character),
        }
    }
    json + "\""
}

fn num(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        "0".into()
    }
}

fn object(fields: &[(&str, String)]) -> String {
    let parts: Vec<String> = fields.iter().map(|(name, value)| text(name) + ":" + value).collect();
    format!("{{{}}}", parts.join(","))
}

fn array(values: &[String]) -> String {
    format!("[{}]", values.join(","))
}

impl Failure {
    fn json(&self) -> String {
        let message: String = self.message.chars().take(1000).collect();
        let mut fields = vec![("code", text(&self.code)), ("message", text(&message))];
        self.advice.iter().for_each(|advice| fields.push(("advice", text(advice))));
        object(&fields)
    }
}

impl About {
    fn json(&self) -> String {
        let mut fields =
            vec![("id", text(&self.id)), ("name", text(&self.name)), ("kind", text(&self.kind))];
        self.connection.iter().for_each(|it| fields.push(("connection", text(it))));
        if !self.sources.is_empty() {
            let sources: Vec<String> = self.sources.iter().map(|it| text(it)).collect();
            fields.push(("sources", array(&sources)));
        }
        if let Some((width, height)) = self.area {
            let area = object(&[("width", num(width)), ("height", num(height))]);
            fields.push(("maximumArea", area));
        }
        if let Some((state, advice)) = &self.state {
            fields.push(("state", text(state)));
            fields.push(("advice", text(advice)));
        }
        object(&fields)
    }
}

impl Value {
    fn json(&self) -> Option<String> {
        match self {
            Value::Nothing => None,
            Value::Bool(value) => Some(value.to_string()),
            Value::Integer(value) => Some(value.to_string()),
            Value::Number(value) => Some(num(*value)),
            Value::Text(value) => Some(text(value)),
        }
    }
}

impl Kind {
    fn json(&self) -> String {
        let kind = |name: &str| ("kind", text(name));
        match self {
            Kind::Toggle => object(&[kind("toggle")]),
            Kind::Button => object(&[kind("button")]),
            Kind::Text(most) => object(&[kind("text"), ("maximumLength", most.to_string())]),
            Kind::Integer { minimum, maximum, step } => object(&[
                kind("integer"),
                ("minimum", minimum.to_string()),
                ("maximum", maximum.to_string()),
                ("step", step.max(&1).to_string()),
            ]),
            Kind::Number { minimum, maximum, step } => {
                let mut fields =
                    vec![kind("number"), ("minimum", num(*minimum)), ("maximum", num(*maximum))];
                if *step > 0.0 {
                    fields.push(("step", num(*step)));
                }
                object(&fields)
            }
            Kind::IntegerChoice(choices) => {
                let choices: Vec<String> = choices.iter().map(i64::to_string).collect();
                object(&[kind("integerChoice"), ("choices", array(&choices))])
            }
            Kind::Choice(choices) => {
                let choices: Vec<String> = choices.iter().map(|it| text(it)).collect();
                object(&[kind("choice"), ("choices", array(&choices))])
            }
        }
    }
}

impl Setting {
    fn json(&self) -> String {
        let mut fields = vec![
            ("name", text(&self.name)),
            ("title", text(&self.title)),
            ("type", self.kind.json()),
            ("isActive", self.is_active.to_string()),
            ("isReadOnly", self.is_read_only.to_string()),
            ("isAdvanced", self.is_advanced.to_string()),
        ];
        self.value.json().into_iter().for_each(|it| fields.push(("value", it)));
        self.default.json().into_iter().for_each(|it| fields.push(("defaultValue", it)));
        self.help.iter().for_each(|it| fields.push(("help", text(it))));
        self.unit.iter().for_each(|it| fields.push(("unit", text(it))));
        self.sensor.iter().for_each(|it| fields.push(("sensor", text(it))));
        if self.host_path {
            fields.push(("hostPath", "true".into()));
        }
        object(&fields)
    }

    /// The value in the form that the option accepts; None for another value.
    fn taking(&self, value: &Json) -> Option<Value> {
        match (&self.kind, value) {
            (Kind::Toggle, Json::Bool(value)) => Some(Value::Bool(*value)),
            (Kind::Button, _) => Some(Value::Nothing),
            (Kind::Text(most), Json::Text(value)) if value.len() <= *most => {
                Some(Value::Text(value.clone()))
            }
            (Kind::Choice(choices), Json::Text(value)) if choices.contains(value) => {
                Some(Value::Text(value.clone()))
            }
            (Kind::Number { minimum, maximum, step }, Json::Number(value)) => {
                let steps = if *step > 0.0 { (value - minimum) / step } else { 0.0 };
                let is_fit =
                    (*minimum..=*maximum).contains(value) && (steps - steps.round()).abs() < 1e-6;
                Some(Value::Number(*value)).filter(|_| is_fit)
            }
            (_, Json::Number(value)) if value.fract() == 0.0 && value.abs() < 9e15 => {
                let value = *value as i64;
                let is_fit = match &self.kind {
                    Kind::Integer { minimum, maximum, step } => {
                        (*minimum..=*maximum).contains(&value)
                            && (value - minimum) % (*step).max(1) == 0
                    }
                    Kind::IntegerChoice(choices) => choices.contains(&value),
                    _ => false,
                };
                Some(Value::Integer(value)).filter(|_| is_fit)
            }
            _ => None,
        }
    }
}

// Received JSON, with at most 64 levels.

#[derive(Clone, Debug)]
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    Array(Vec<Json>),
    Object(HashMap<String, Json>),
}

impl Json {
    fn parse(line: &str) -> Option<Json> {
        let mut parser = Parser { bytes: line.as_bytes(), place: 0 };
        let value = parser.value(0)?;
        parser.blank();
        Some(value).filter(|_| parser.place == line.len())
    }

    fn get(&self, name: &str) -> Option<&Json> {
        if let Json::Object(fields) = self {
            fields.get(name)
        } else {
            None
        }
    }

    fn text(&self, name: &str) -> Option<&str> {
        if let Some(Json::Text(value)) = self.get(name) {
            Some(value)
        } else {
            None
        }
    }

    fn number(&self, name: &str) -> Option<f64> {
        if let Some(Json::Number(value)) = self.get(name) {
            Some(*value)
        } else {
            None
        }
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Parser<'_> {
    fn blank(&mut self) {
        while self.bytes.get(self.place).map_or(false, |byte| b" \t\r\n".contains(byte)) {
            self.place += 1;
        }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.bytes.get(self.place).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.place += 1)
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        self.bytes[self.place..].starts_with(word.as_bytes()).then(|| {
            self.place += word.len();
            value
        })
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > 64 {
            return None;
        }
        match self.peek()? {
            b'{' => self.object(depth),
            b'[' => {
                let mut values = Vec::new();
                self.take(b'[')?;
                while self.peek()? != b']' {
                    if !values.is_empty() {
                        self.take(b',')?;
                    }
                    values.push(self.value(depth + 1)?);
                }
                self.take(b']')?;
                Some(Json::Array(values))
            }
            b'"' => self.string().map(Json::Text),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => {
                let start = self.place;
                while self.bytes.get(self.place).map_or(false, |it| b"+-.eE0123456789".contains(it))
                {
                    self.place += 1;
                }
                let digits = std::str::from_utf8(&self.bytes[start..self.place]).ok()?;
                digits.parse().ok().map(Json::Number)
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        let mut fields = HashMap::new();
        self.take(b'{')?;
        while self.peek()? != b'}' {
            if !fields.is_empty() {
                self.take(b',')?;
            }
            self.peek()?;
            let name = self.string()?;
            self.take(b':')?;
            fields.insert(name, self.value(depth + 1)?);
        }
        self.take(b'}')?;
        Some(Json::Object(fields))
    }

    fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut bytes = Vec::new();
        loop {
            let byte = *self.bytes.get(self.place)?;
            self.place += 1;
            match byte {
                b'"' => return String::from_utf8(bytes).ok(),
                b'\\' => {
                    let escaped = self.escape()?;
                    bytes.extend(escaped.to_string().bytes());
                }
                byte => bytes.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = *self.bytes.get(self.place)?;
        self.place += 1;
        Some(match byte {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let first = self.hex()?;
                if !(0xD800..0xDC00).contains(&first) {
                    return char::from_u32(first);
                }
                self.bytes.get(self.place..self.place + 2).filter(|it| it == b"\\u")?;
                self.place += 2;
                let second = self.hex()?.checked_sub(0xDC00)?;
                char::from_u32(0x10000 + ((first - 0xD800) << 10) + second)?
            }
            byte => byte as char,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = std::str::from_utf8(self.bytes.get(self.place..self.place + 4)?).ok()?;
        self.place += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

// Requests.

type Work = Box<dyn FnOnce() + Send>;
type Answer = Outcome<Vec<(&'static str, String)>>;

/// An open device: its requests run one after the other on a thread, with a capture in parallel.
struct Lane {
    device: Arc<dyn Device>,
    settings: Arc<Mutex<Vec<Setting>>>,
    requests: Sender<Work>,
    capture: Arc<Mutex<Option<(i64, Arc<News>)>>>,
    thread: Arc<Mutex<Option<thread::JoinHandle<()>>>>,
}

impl Lane {
    fn new(device: Box<dyn Device>) -> Lane {
        let (requests, work) = channel::<Work>();
        thread::spawn(move || work.into_iter().for_each(|work| work()));
        let settings = Arc::new(Mutex::new(device.settings()));
        let (capture, thread) = Default::default();
        Lane { device: Arc::from(device), settings, requests, capture, thread }
    }

    fn cancel(&self) {
        let news = lock(&self.capture).as_ref().map(|(_, news)| news.clone());
        if let Some(news) = news {
            lock(&news.state).is_cancelled = true;
            news.arrived.notify_all();
            self.device.cancel();
        }
    }

    /// Ends the capture, and waits for it.
    fn stop(&self) {
        self.cancel();
        let thread = lock(&self.thread).take();
        thread.into_iter().for_each(|thread| drop(thread.join()));
    }
}

struct Server<B> {
    host: Host,
    backend: Arc<B>,
    about: (String, String),
    lanes: Arc<Mutex<HashMap<i64, Arc<Lane>>>>,
    /// The handle of the next device.
    handles: Arc<AtomicI64>,
    has_greeted: bool,
}

impl<B: Backend> Server<B> {
    fn take(&mut self, message: Json) -> Option<()> {
        if message.text("event").is_some() {
            self.deliver(message);
            return Some(());
        }
        let id = message.number("request").filter(|it| it.fract() == 0.0)? as i64;
        let handle = message.number("handle").map_or(-1, |it| it as i64);
        let lane = lock(&self.lanes).get(&handle).cloned();
        let host = self.host.clone();
        match (message.text("verb")?, lane) {
            ("options" | "set" | "capture" | "close", None) => {
                let message = format!("no open device has the handle {handle}");
                answer(&host, id, || Err(Failure::new("noSuchDevice", message)));
            }
            ("capture", Some(lane)) => capture(host, id, &message, lane),
            ("close", Some(lane)) => {
                lock(&self.lanes).remove(&handle);
                let requests = lane.requests.clone();
                let _ = requests.send(Box::new(move || {
                    lane.stop();
                    drop(lane);
                    answer(&host, id, || Ok(Vec::new()));
                }));
            }
            ("options", Some(lane)) => {
                let requests = lane.requests.clone();
                let _ = requests.send(Box::new(move || answer(&host, id, || list(&lane))));
            }
            ("set", Some(lane)) => {
                let requests = lane.requests.clone();
                let _ = requests.send(Box::new(move || answer(&host, id, || set(&lane, &message))));
            }
            ("cancel", _) => {
                let capture = message.number("capture").map_or(-1, |it| it as i64);
                let lanes: Vec<Arc<Lane>> = lock(&self.lanes).values().cloned().collect();
                for lane in lanes {
                    let is_its = lock(&lane.capture).as_ref().map_or(false, |it| it.0 == capture);
                    if is_its {
                        lane.cancel();
                    }
                }
                answer(&host, id, || Ok(Vec::new()));
            }
            (verb, _) => self.serve(id, verb.to_string(), message),
        }
        Some(())
    }

    fn serve(&mut self, id: i64, verb: String, message: Json) {
        let (host, backend, lanes) = (self.host.clone(), self.backend.clone(), self.lanes.clone());
        let handles = self.handles.clone();
        let (name, version) = self.about.clone();
        if verb == "hello" && !self.has_greeted {
            self.has_greeted = true;
            let (host, backend) = (host.clone(), backend.clone());
            thread::spawn(move || backend.watch(&host));
        }
        thread::spawn(move || {
            answer(&host, id, || match verb.as_str() {
                "hello" => Ok(vec![
                    ("protocol", "1".into()),
                    ("name", text(&name)),
                    ("version", text(&version)),
                ]),
                "devices" => {
                    let quick = matches!(message.get("quick"), Some(Json::Bool(true)));
                    let (devices, problems) = backend.devices(quick)?;
                    let devices: Vec<String> = devices.iter().map(About::json).collect();
                    let problems: Vec<String> = problems.iter().map(Failure::json).collect();
                    let mut fields = vec![("devices", array(&devices))];
                    if !problems.is_empty() {
                        fields.push(("problems", array(&problems)));
                    }
                    Ok(fields)
                }
                "open" => {
                    let lane = Lane::new(backend.open(message.text("device").unwrap_or(""))?);
                    let about = lane.device.about();
                    let handle = handles.fetch_add(1, Ordering::Relaxed);
                    lock(&lanes).insert(handle, Arc::new(lane));
                    let mut fields = vec![("handle", handle.to_string())];
                    about.iter().for_each(|about| fields.push(("device", about.json())));
                    Ok(fields)
                }
                verb => Err(Failure::new("unsupported", format!("no verb '{verb:.60}' is known"))),
            })
        });
    }

    /// Passes the host's answer about a frame to its capture.
    fn deliver(&self, message: Json) {
        let is_of_frame = matches!(message.text("event"), Some("buffer" | "refused"));
        let numbers = (message.number("capture"), message.number("frame"));
        if let (true, (Some(capture), Some(frame))) = (is_of_frame, numbers) {
            for lane in lock(&self.lanes).values() {
                let own = lock(&lane.capture).clone().filter(|it| it.0 == capture as i64);
                if let Some((_, news)) = own {
                    let mut state = lock(&news.state);
                    if state.frame == frame as i64 {
                        state.grant = Some(message);
                        news.arrived.notify_all();
                    }
                    return;
                }
            }
        }
    }
}

/// Answers a request exactly once, also when the work panics.
fn answer(host: &Host, id: i64, work: impl FnOnce() -> Answer) {
    let result = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Failure::new("internalFault", "the backend has panicked")));
    let mut fields = vec![("answer", id.to_string())];
    match result {
        Ok(more) => fields.extend(more),
        Err(failure) => fields.push(("error", failure.json())),
    }
    let _ = host.tell(&fields);
}

fn list(lane: &Lane) -> Answer {
    let mut settings = lock(&lane.settings);
    lane.device.read(&mut settings)?;
    let options: Vec<String> = settings.iter().map(Setting::json).collect();
    Ok(vec![("options", array(&options))])
}

fn set(lane: &Lane, message: &Json) -> Answer {
    let name = message.text("option").unwrap_or("");
    let mut settings = lock(&lane.settings);
    let place = settings.iter().position(|setting| setting.name == name);
    let refuse = |why: &str| Err(Failure::new("invalidValue", format!("option '{name}' {why}")));
    let unknown = || Failure::new("noSuchOption", format!("no option is called '{name:.100}'"));
    let place = place.ok_or_else(unknown)?;
    if settings[place].is_read_only {
        return refuse("can only be read");
    }
    if !settings[place].is_active {
        return refuse("has no effect with the current values of the other options");
    }
    let value = message.get("value").and_then(|value| settings[place].taking(value));
    let value = match value {
        Some(value) => value,
        None => return refuse("does not take this value"),
    };
    let reload = lane.device.changed(name, &value, &mut settings)?;
    let mut fields = vec![("reloadOptions", reload.to_string())];
    value.json().into_iter().for_each(|json| fields.push(("value", json)));
    settings[place].value = value;
    Ok(fields)
}

fn capture(host: Host, id: i64, message: &Json, lane: Arc<Lane>) {
    let live = message.text("mode") == Some("live");
    let limit = message.number("limit");
    let refusal = if !matches!(message.text("mode"), None | Some("pages" | "live")) {
        Some(Failure::new("unsupported", "there is no capture of this mode"))
    } else if limit.map_or(false, |limit| limit < 1.0) {
        Some(Failure::new("invalidValue", "a capture of no frames makes no sense"))
    } else if lock(&lane.capture).is_some() {
        Some(Failure::new("busy", "the device is already capturing"))
    } else {
        None
    };
    if let Some(refusal) = refusal {
        return answer(&host, id, || Err(refusal));
    }
    let news = Arc::new(News::default());
    lock(&news.state).frame = 1;
    *lock(&lane.capture) = Some((id, news.clone()));
    let requests = lane.requests.clone();
    let _ = requests.send(Box::new(move || {
        let limit = limit.map(|limit| limit as u64);
        let settings = lock(&lane.settings).clone();
        let mut sink = Sink {
            host: host.clone(),
            capture: id,
            limit,
            settings,
            news,
            finished: 0,
            open: None,
            gathered: Vec::new(),
            flushed: Instant::now(),
        };
        let own = lane.clone();
        let thread = thread::spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| {
                sink.check()?;
                own.device.capture(&mut sink, live, limit)?;
                match sink.open {
                    Some(_) => Err(Failure::new("internalFault", "a frame was not finished")),
                    None => Ok(Vec::new()),
                }
            }));
            *lock(&own.capture) = None;
            let panic = || Err(Failure::new("internalFault", "the capture has panicked"));
            answer(&host, id, || result.unwrap_or_else(|_| panic()));
        });
        *lock(&lane.thread) = Some(thread);
    }));
}

/// Serves a backend to the host that started this program, until the host goes away; then the
/// program ends.
pub fn run(name: &str, version: &str, backend: impl Backend) -> ! {
    // The host's socket; asking for its other end shows whether it is a socket. In a debugger, a
    // host waits at COPYSTAND_ATTACH.
    let stream = match std::env::var_os("COPYSTAND_ATTACH").filter(|path| !path.is_empty()) {
        None => unsafe { UnixStream::from_raw_fd(3) },
        Some(path) => UnixStream::connect(&path).unwrap_or_else(|error| {
            eprintln!("no host waits at COPYSTAND_ATTACH={}: {error}", path.to_string_lossy());
            std::process::exit(2)
        }),
    };
    let reader = match stream.peer_addr().and_then(|_| stream.try_clone()) {
        Ok(reader) => reader,
        Err(_) => {
            eprintln!("{name} {version}: a Copystand backend. Copystand starts it when needed.");
            std::process::exit(2)
        }
    };
    let mut server = Server {
        host: Host(Arc::new(Mutex::new(stream))),
        backend: Arc::new(backend),
        about: (name.into(), version.into()),
        lanes: Arc::default(),
        handles: Arc::new(AtomicI64::new(1)),
        has_greeted: false,
    };
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    let mut status = 0;
    while reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).unwrap_or(0) > 0 {
        if line.pop() != Some(b'\n') {
            // The host went away in the middle of a message, or the message is too long.
            status = i32::from(line.len() as u64 >= LONGEST_LINE - 1);
            break;
        }
        let message = std::str::from_utf8(&line).ok().and_then(Json::parse);
        if message.and_then(|message| server.take(message)).is_none() {
            eprintln!("the host's message can't be read: {:.80}", String::from_utf8_lossy(&line));
            status = 1;
            break;
        }
        line.clear();
    }
    // A device that hangs must not delay the end.
    let lanes: Vec<Arc<Lane>> = lock(&server.lanes).drain().map(|(_, lane)| lane).collect();
    let (done, ended) = channel();
    thread::spawn(move || {
        lanes.iter().for_each(|lane| lane.stop());
        drop(lanes);
        let _ = done.send(());
    });
    let _ = ended.recv_timeout(Duration::from_millis(1500));
    std::process::exit(status)
}
