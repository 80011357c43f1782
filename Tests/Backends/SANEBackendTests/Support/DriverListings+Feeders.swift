extension DriverListing {
    /// Document scanners, whose first source is the feeder.
    static let feeders: [DriverListing] = [
        DriverListing(
            driver: "fujitsu", type: "scanner", sources: ["feeder", "feeder-duplex"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → source=ADF Front", "source=feeder-duplex → source=ADF Duplex",
                "paper=a4 → page-width=210 page-height=297 tl-x=0 br-x=210 tl-y=0 br-y=297",
                "brightness=50 → brightness=64",
            ],
            papers: ["a4", "letter", "legal"],
            listing: """
                --source ADF Front|ADF Back|ADF Duplex [ADF Front]
                --mode Lineart|Halftone|Gray|Color [Lineart]
                --resolution 50..600dpi (in steps of 1) [600]
                --page-width 0..221.121mm (in steps of 0.0211639) [215.872]
                --page-height 0..876.695mm (in steps of 0.0211639) [279.364]
                -l 0..215.872mm (in steps of 0.0211639) [0]
                -t 0..279.364mm (in steps of 0.0211639) [0]
                -x 0..215.872mm (in steps of 0.0211639) [215.872]
                -y 0..279.364mm (in steps of 0.0211639) [279.364]
                --brightness -127..127 (in steps of 1) [0]
                --ald[=(yes|no)] [no] [advanced]
                --page-loaded[=(yes|no)] [no] [hardware]
                --double-feed[=(yes|no)] [no] [hardware]
                """),
        DriverListing(
            driver: "fujitsu with glass", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=flatbed → source=Flatbed",
                "paper=a5 → tl-x=0 br-x=148 tl-y=0 br-y=210",
            ],
            listing: """
                --source Flatbed|ADF Front|ADF Back|ADF Duplex [Flatbed]
                --mode Lineart|Halftone|Gray|Color [Lineart]
                --resolution 50..600dpi (in steps of 1) [600]
                --page-width 0..224.846mm (in steps of 0.0211639) [inactive]
                --page-height 0..2750.47mm (in steps of 0.0211639) [inactive]
                -l 0..227.809mm (in steps of 0.0211639) [0]
                -t 0..296.972mm (in steps of 0.0211639) [0]
                -x 0..227.809mm (in steps of 0.0211639) [215.872]
                -y 0..296.972mm (in steps of 0.0211639) [279.364]
                """),
        DriverListing(
            driver: "canon_dr", type: "scanner", sources: ["feeder", "feeder-duplex"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → source=ADF Front", "source=feeder-duplex → source=ADF Duplex",
                "contrast=-100 → contrast=-127",
            ],
            listing: """
                --source ADF Front|ADF Back|ADF Duplex|Card Front|Card Back|Card Duplex [ADF Front]
                --mode Lineart|Halftone|Gray|Color [Lineart]
                --resolution 100|150|200|240|300|400|600dpi [300]
                --page-width 0..218.440mm (in steps of 0.0211639) [215.900]
                --page-height 0..355.600mm (in steps of 0.0211639) [279.400]
                -l 0..215.900mm (in steps of 0.0211639) [0]
                -t 0..279.400mm (in steps of 0.0211639) [0]
                -x 0..215.900mm (in steps of 0.0211639) [215.900]
                -y 0..279.400mm (in steps of 0.0211639) [279.400]
                --contrast -127..127 (in steps of 1) [0]
                --start[=(yes|no)] [no] [hardware]
                """),
        DriverListing(
            driver: "epsonds", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → source=ADF Front", "source=feeder-duplex → source=ADF Duplex",
            ],
            listing: """
                --mode Lineart|Gray|Color [Lineart]
                --depth 1|8bit [1]
                --resolution 50..1200dpi (in steps of 1) [200]
                --source Flatbed|ADF Front|ADF Duplex [Flatbed]
                --adf-skew[=(yes|no)] [no]
                -l 0..215.9mm [0]
                -t 0..297.18mm [0]
                -x 0..215.9mm [215.9]
                -y 0..297.18mm [297.18]
                """),
        DriverListing(
            driver: "kvs20xx", type: "sheetfed scanner", sources: ["feeder", "feeder-duplex"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → duplex=no", "source=feeder-duplex → duplex=yes",
                "mode=bilevel → mode=bw", "brightness=-100 → brightness=1",
            ],
            listing: """
                --mode bw|halftone|gray|color [bw]
                --resolution 100..600dpi (in steps of 1) [150]
                --duplex[=(yes|no)] [no]
                --feeder-mode single|continuous [single]
                -l 0..215.9mm [0]
                -t 0..355.6mm [0]
                -x 0..215.9mm [210]
                -y 0..355.6mm [297]
                --brightness 1..255 (in steps of 1) [128]
                """),
        DriverListing(
            driver: "epjitsu", type: "scanner", sources: ["feeder", "feeder-duplex"],
            modes: ["bilevel", "gray", "color"],
            effects: ["source=feeder-duplex → source=ADF Duplex", "mode=color → mode=Color"],
            noArea: true,
            listing: """
                --source ADF Front|ADF Back|ADF Duplex [ADF Front]
                --mode Lineart|Gray|Color [Lineart]
                --resolution 50..600dpi (in steps of 1) [300]
                -t 0..289.353mm (in steps of 0.0211639) [0]
                --page-width 2.70915..219.441mm (in steps of 0.0211639) [215.9]
                --page-height 0..450.707mm (in steps of 0.0211639) [292.062]
                """),
        DriverListing(
            driver: "hp5590", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → source=ADF", "source=feeder-duplex → source=ADF Duplex",
                "mode=bilevel → mode=Lineart", "mode=color → mode=Color (24 bits)",
            ],
            listing: """
                --source Flatbed|ADF|ADF Duplex|TMA Slides|TMA Negatives [Flatbed]
                --mode Color (24 bits)|Color (48 bits)|Gray|Lineart [Color (24 bits)]
                --resolution 100|200|300|600|1200|2400dpi [100]
                -l 0..215.889mm [0]
                -t 0..297.699mm [0]
                -x 0..215.889mm [215.889]
                -y 0..297.699mm [297.699]
                """),
    ]

    /// Multifunction printers, by USB and by network.
    static let network: [DriverListing] = [
        DriverListing(
            driver: "hpaio", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder-duplex → source=ADF duplex=yes batch-scan=yes",
                "source=flatbed → source=Flatbed batch-scan=no",
                "brightness=100 → brightness=2000", "brightness=0 → brightness=1000",
            ],
            listing: """
                --mode Lineart|Gray|Color [Lineart]
                --resolution 75|100|200|300|600dpi [75]
                --source Auto|Flatbed|ADF [Flatbed]
                --batch-scan[=(yes|no)] [no] [advanced]
                --duplex[=(yes|no)] [no] [advanced]
                --brightness 0..2000 [1000]
                --contrast 0..2000 [1000]
                --compression None|JPEG [None]
                -l 0..215.9mm [0]
                -t 0..297.011mm [0]
                -x 0..215.9mm [215.9]
                -y 0..297.011mm [297.011]
                """),
        DriverListing(
            driver: "brother4", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=flatbed → source=FlatBed",
                "source=feeder → source=Automatic Document Feeder(left aligned)",
                "source=feeder-duplex → source=Automatic Document Feeder(left aligned,Duplex)",
                "mode=bilevel → mode=Black & White", "mode=gray → mode=True Gray",
                "mode=color → mode=24bit Color", "brightness=40 → brightness=20",
            ],
            papers: ["a4"], notPapers: ["letter"],
            listing: """
                Mode:
                --mode Black & White|Gray[Error Diffusion]|True Gray|24bit Color|24bit Color[Fast] \
                [24bit Color[Fast]]
                --resolution 100|150|200|300|400|600|1200|2400|4800|9600dpi [200]
                --source FlatBed|Automatic Document Feeder(left aligned)|Automatic Document \
                Feeder(left aligned,Duplex)|Automatic Document Feeder(centrally aligned)|Automatic \
                Document Feeder(centrally aligned,Duplex) [FlatBed]
                --brightness -50..50% (in steps of 1) [0]
                Geometry:
                -l 0..211.9mm (in steps of 0.0999908) [0]
                -t 0..355.6mm (in steps of 0.0999908) [0]
                -x 0..211.9mm (in steps of 0.0999908) [211.881]
                -y 0..355.6mm (in steps of 0.0999908) [355.567]
                """),
        DriverListing(
            driver: "xerox_mfp", sources: ["flatbed", "feeder", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → source=ADF", "mode=bilevel → mode=Lineart",
                "mode=color → mode=Color",
            ],
            listing: """
                --resolution 75|100|150|200|300|600dpi [150]
                --mode Lineart|Halftone|Gray|Color [Color]
                --highlight 30..70% (in steps of 10) [50]
                --source Flatbed|ADF|Auto [Flatbed]
                -l 0..215.9mm (in steps of 1) [0]
                -t 0..297.18mm (in steps of 1) [0]
                -x 0..215.9mm (in steps of 1) [215.9]
                -y 0..297.18mm (in steps of 1) [297.18]
                """),
        DriverListing(
            driver: "airscan", type: "eSCL network scanner",
            sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: ["source=feeder-duplex → source=ADF Duplex", "mode=bilevel → mode=Lineart"],
            listing: """
                --resolution 100|200|300|600dpi [300]
                --mode Lineart|Color|Gray [Color]
                --source Flatbed|ADF|ADF Duplex [Flatbed]
                -l 0..215.9mm [0]
                -t 0..297.18mm [0]
                -x 0..215.9mm [215.9]
                -y 0..297.18mm [297.18]
                --brightness -100..100% (in steps of 1) [0]
                --contrast -100..100% (in steps of 1) [0]
                --negative[=(yes|no)] [no]
                """),
        DriverListing(
            driver: "escl", sources: ["feeder", "feeder-duplex"], modes: ["gray", "color"],
            effects: ["source=feeder → source=ADF", "mode=gray → mode=Gray"],
            papers: ["a4", "letter", "legal"],
            listing: """
                --mode Color|Gray [Color]
                --resolution 100|300dpi [300]
                --source ADF|ADF Duplex [ADF]
                -l 0..215.9mm [0]
                -t 0..393.7mm [0]
                -x 0..215.9mm [215.9]
                -y 0..393.7mm [393.7]
                """),
        DriverListing(
            driver: "kodakaio", sources: ["flatbed", "feeder", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: ["source=feeder → source=Automatic Document Feeder"],
            listing: """
                --mode Lineart|Gray|Color [Color]
                --depth 1|8|16bit [8]
                --resolution 75|150|300|600|1200dpi [150]
                --source Flatbed|Automatic Document Feeder [Flatbed]
                --contrast 0..100 (in steps of 5) [50]
                -l 0..215.9mm [0]
                -t 0..297.18mm [0]
                -x 0..215.9mm [215.9]
                -y 0..297.18mm [297.18]
                """),
        DriverListing(
            driver: "canon_pixma (closed)", sources: ["flatbed", "feeder-duplex"],
            modes: ["gray", "color"],
            effects: [
                "source=flatbed → source=Flatben",
                "source=feeder-duplex → source=ADF Duplex (Long-side Binding)",
            ],
            noArea: true,
            listing: """
                --mode Color|Gray [Color]
                --resolution 75|100|150|200|300dpi [300]
                --source Flatben|ADF Duplex (Long-side Binding)|ADF Duplex (Short-side Binding) \
                [Flatben]
                -l 0..0.00457764pel [0]
                -t 0..0.00457764pel [0]
                -x 0..0.00457764pel [0.00457764]
                -y 0..0.00457764pel [0.00457764]
                """),
        DriverListing(
            driver: "utsushi", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=flatbed → source=Document Table",
                "source=feeder-duplex → source=ADF duplex=yes",
                "mode=bilevel → image-type=Monochrome",
                "mode=gray → image-type=Grayscale",
            ],
            listing: """
                --image-type Monochrome|Grayscale|Color [Color]
                --source Document Table|ADF [Document Table]
                --duplex[=(yes|no)] [no]
                --resolution 50..600dpi [300]
                --scan-area A4|Letter|Maximum|Manual [Manual]
                -l 0..215.9mm [0]
                -t 0..297.18mm [0]
                -x 0..215.9mm [215.9]
                -y 0..297.18mm [297.18]
                """),
    ]
}
