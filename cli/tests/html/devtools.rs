//! A page in a real Chromium, driven through the DevTools protocol: real keys, real frames.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, client};

/// A browser with one page in it.
pub struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    /// The page's session within the browser's.
    session: Option<String>,
    calls: u64,
    /// What has been told without being asked for.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Opens a file in a window of that size, and waits until it is loaded and drawn.
    pub fn open(file: &Path, width: u32, height: u32) -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut process = command(profile.path())
            .arg("--remote-debugging-port=0")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let mut log = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        let address = log
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("listening on ws://")?.1.to_owned()))
            .expect("Chromium says where it listens");
        // Chromium stops when nobody reads what it says.
        thread::spawn(move || log.for_each(drop));
        let (host, _) = address.split_once('/').expect("an address with a path");
        let stream = TcpStream::connect(host).expect("Chromium listens");
        let (socket, _) = client(format!("ws://{address}"), stream).expect("a handshake");
        let mut browser = Self {
            process,
            socket,
            session: None,
            calls: 0,
            events: Vec::new(),
            _profile: profile,
        };
        browser.attach(width, height);
        browser.call(
            "Page.navigate",
            json!({"url": format!("file://{}", file.display())}),
        );
        browser.wait_for("Page.loadEventFired");
        browser.evaluate(FRAMES);
        browser
    }

    fn attach(&mut self, width: u32, height: u32) {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.call("Target.attachToTarget", target);
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        let window =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", window);
    }

    /// Calls a method of the protocol, and gives what it answers.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut request = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            request["sessionId"] = session.as_str().into();
        }
        let text = Message::text(request.to_string());
        self.socket.send(text).expect("Chromium takes requests");
        loop {
            let mut told = self.read();
            if told["id"] == self.calls {
                assert!(told["error"].is_null(), "{method}: {told}");
                return told["result"].take();
            }
            self.events.push(told);
        }
    }

    fn read(&mut self) -> Value {
        let message = self.socket.read().expect("Chromium answers");
        let text = message.into_text().expect("it answers in text");
        serde_json::from_str(&text).expect("it answers in JSON")
    }

    fn wait_for(&mut self, event: &str) {
        while !self.events.iter().any(|told| told["method"] == event) {
            let told = self.read();
            self.events.push(told);
        }
    }

    /// The value of an expression in the page; of a promise, what it promises.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let mut told = self.call(
            "Runtime.evaluate",
            json!({"expression": expression, "awaitPromise": true, "returnByValue": true}),
        );
        assert!(told["exceptionDetails"].is_null(), "{expression}: {told}");
        told["result"]["value"].take()
    }

    /// Presses a key, as a hand would, and waits until the page has been drawn anew.
    pub fn press(&mut self, key: &str, code: u32, text: Option<&str>) {
        let mut down = json!({
            "type": "keyDown", "key": key, "code": key,
            "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code,
        });
        if let Some(text) = text {
            down["text"] = text.into();
        }
        let mut up = down.clone();
        up["type"] = "keyUp".into();
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", up);
        self.evaluate(FRAMES);
    }

    /// Everything that went to the console, and every error.
    pub fn console(&self) -> Vec<&Value> {
        let loud = [
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Log.entryAdded",
        ];
        let is_loud = |told: &&Value| loud.iter().any(|method| told["method"] == *method);
        self.events.iter().filter(is_loud).collect()
    }
}

/// Two frames later, when what was changed has been laid out and drawn.
const FRAMES: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself; that is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Chromium without a window, a network or a memory.
pub fn command(profile: &Path) -> Command {
    let mut command = Command::new(super::chromium());
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .arg(format!("--user-data-dir={}", profile.display()));
    command
}
