/// A new backend in Rust.
enum RustTemplate {
    static let package = #"""
        [package]
        name = "copystand-{{id}}"
        version = "1.0.0"
        edition = "2021"

        """#

    static let program = #"""
        // ! A made-up scanner of test cards, to be replaced by your device.
        mod copystand_backend;
        mod fake_scanner;
        use copystand_backend::*;
        use fake_scanner::*;
        use std::sync::Mutex;

        struct Scanner(Mutex<FakeScanner>);

        impl Scanner {
            fn feed(&self, number: u64) -> Outcome<()> {
                let mut scanner = self.0.lock().expect("no thread fails with it");
                match scanner.feed() {
                    Feeding::Fed => Ok(()),
                    Feeding::Empty => Err(Failure::new("feederEmpty", "there is no card in the feeder")),
                    Feeding::Jammed => {
                        let message = format!("card {number} is jammed");
                        Err(Failure::new("jammed", message).advising("Pull it out."))
                    }
                }
            }
        }

        impl Device for Scanner {
            fn settings(&self) -> Vec<Setting> {
                let help = Some("How bright cards are.".into());
                vec![Setting { help, ..Setting::level("brightness", "Brightness") }]
            }

            fn capture(&self, sink: &mut Sink, live: bool, limit: Option<u64>) -> Outcome<()> {
                if live {
                    return Err(Failure::new("unsupported", "test cards have no live view"));
                }
                // The settings at the start of the capture; 0 % is the middle of the driver's own
                // range.
                let lift = match sink.setting("brightness") {
                    Value::Number(percent) => level_in(*percent, 0.0, 255.0) as usize,
                    _ => 0,
                };
                for number in 1..=limit.unwrap_or(1) {
                    self.feed(number)?;
                    sink.begin(&Page {
                        resolution: Some(100.0),
                        label: Some(format!("card {number}")),
                        ..Page::new("gray8", WIDTH, HEIGHT)
                    })?;
                    for y in 0..HEIGHT {
                        // Fails when the capture is canceled: write often.
                        sink.write(&row(y, lift))?;
                    }
                    sink.finish(None)?;
                }
                Ok(())
            }
        }

        struct TestCards;

        impl Backend for TestCards {
            /// Replace the fake device with yours; use it only if {{variable}} is set, as in tests.
            fn devices(&self, _quick: bool) -> Outcome<(Vec<About>, Vec<Failure>)> {
                let mut card = About::new("card", "Test cards", "scanner");
                card.sources = vec!["feeder".into()];
                Ok((vec![card], Vec::new()))
            }

            fn open(&self, id: &str) -> Outcome<Box<dyn Device>> {
                if id != "card" {
                    return Err(Failure::new("noSuchDevice", format!("there is no device '{id:.100}'")));
                }
                let fault = std::env::var("{{variable}}").unwrap_or_default();
                Ok(Box::new(Scanner(Mutex::new(FakeScanner::new(fault)))))
            }
        }

        fn main() {
            run("{{title}}", "1.0", TestCards)
        }

        """#

    static let fake = #"""
        //! A made-up scanner, so that tests need no hardware.

        pub const WIDTH: usize = 850;
        pub const HEIGHT: usize = 1100;

        /// The result of feeding the next card.
        pub enum Feeding {
            Fed,
            Empty,
            Jammed,
        }

        pub struct FakeScanner {
            /// The scanner's fault: "empty", "jam" (at the second card), or anything else for none.
            fault: String,
            fed: u64,
        }

        impl FakeScanner {
            pub fn new(fault: String) -> FakeScanner {
                FakeScanner { fault, fed: 0 }
            }

            /// Feeds the next card.
            pub fn feed(&mut self) -> Feeding {
                self.fed += 1;
                match self.fault.as_str() {
                    "jam" if self.fed == 2 => Feeding::Jammed,
                    "empty" => Feeding::Empty,
                    _ => Feeding::Fed,
                }
            }
        }

        /// The pixels of a row: a ramp that is shifted row by row.
        pub fn row(number: usize, lift: usize) -> Vec<u8> {
            (0..WIDTH).map(|column| (column * 255 / WIDTH + number + lift) as u8).collect()
        }

        """#
}
