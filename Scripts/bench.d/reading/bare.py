"""Runs RapidOCR alone, as its own program would: reads the path of a picture from each line, and
prints the text as JSON.
"""

import json
import logging
import os
import sys

from rapidocr import RapidOCR

logging.disable(logging.CRITICAL)
engine = RapidOCR(
    params={
        "Global.max_side_len": 2000,
        "Global.log_level": "critical",
        "EngineConfig.onnxruntime.intra_op_num_threads": len(os.sched_getaffinity(0)),
    }
)
print(json.dumps("ready"), flush=True)
for line in sys.stdin:
    print(json.dumps("\n".join(engine(line.rstrip("\n")).txts or ())), flush=True)
