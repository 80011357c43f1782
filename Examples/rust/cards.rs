//! Cards with a line of tones: a made-up scanner, and a camera with a live view.
mod copystand_backend;
use copystand_backend::*;
use std::time::{Duration, Instant};

const WIDTH: usize = 120;
const HEIGHT: usize = 80;

struct Cards {
    is_camera: bool,
    begun: Instant,
}

impl Device for Cards {
    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::mode("gray"),
            Setting::resolution(100, &[100, 200]),
            Setting::level("brightness", "Brightness"),
        ]
    }

    fn capture(&self, sink: &mut Sink, live: bool, limit: Option<u64>) -> Outcome<()> {
        if live && !self.is_camera {
            return Err(Failure::new("unsupported", "cards have no live view"));
        }
        let mode = match sink.setting("mode") {
            Value::Text(mode) => mode.clone(),
            _ => return Err(Failure::new("internalFault", "there is no mode")),
        };
        let lift = match sink.setting("brightness") {
            Value::Number(percent) => level_in(*percent, 0.0, 255.0) as usize,
            _ => 0,
        };
        let resolution = match sink.setting("resolution") {
            Value::Integer(dpi) => Some(*dpi as f64),
            _ => None,
        };
        let most = limit.unwrap_or(if live { u64::MAX } else { 1 });
        let mut count = 0;
        while count < most {
            let page = Page {
                resolution: resolution.filter(|_| !live),
                time: Some(self.begun.elapsed().as_secs_f64()).filter(|_| live),
                origin: Some("digital".into()).filter(|_| !live),
                ..Page::new(format(&mode).unwrap_or("gray8"), WIDTH, HEIGHT)
            };
            let is_wanted = sink.begin(&page)?;
            let row = row_bytes(&page.format, WIDTH);
            let pixels: Vec<u8> =
                (0..row * HEIGHT).map(|place| (place % row + lift + place / row) as u8).collect();
            sink.write(&pixels)?;
            sink.finish(None)?;
            count += u64::from(is_wanted);
            if live {
                sink.sleep(Duration::from_millis(10))?;
            }
        }
        Ok(())
    }
}

struct Backends;

impl Backend for Backends {
    fn devices(&self, _quick: bool) -> Outcome<(Vec<About>, Vec<Failure>)> {
        let cards = About::new("cards", "Cards", "scanner");
        Ok((vec![cards, About::new("camera", "Cards, live", "camera")], Vec::new()))
    }

    fn open(&self, id: &str) -> Outcome<Box<dyn Device>> {
        match id {
            "cards" | "camera" => {
                Ok(Box::new(Cards { is_camera: id == "camera", begun: Instant::now() }))
            }
            _ => Err(Failure::new("noSuchDevice", format!("no cards are called '{id:.100}'"))),
        }
    }
}

fn main() {
    run("Cards", "1.0", Backends)
}
