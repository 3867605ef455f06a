"""Transcribes spoken digits with pocketsphinx, in the shape of OpenAI: POST /v1/audio/transcriptions, WAV only."""

import array
import io
import json
import wave
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, HTTPServer

from pocketsphinx import Decoder

RATE = 16_000
GRAMMAR = """#JSGF V1.0;
grammar digits;
public <digits> = (zero | one | two | three | four | five | six | seven | eight | nine)+;
"""
decoder = Decoder(lm=None, samprate=RATE, loglevel="FATAL")
decoder.add_jsgf_string("digits", GRAMMAR)
decoder.activate_search("digits")


def resample(given, rate):
    count = len(given) * RATE // rate
    silence = array.array("h", [0] * (RATE // 4))
    return silence + array.array("h", (given[index * rate // RATE] for index in range(count))) + silence


def transcribe(file):
    with wave.open(io.BytesIO(file)) as wav:
        given = array.array("h", wav.readframes(wav.getnframes()))
        rate = wav.getframerate()
    decoder.start_utt()
    decoder.process_raw(resample(given, rate).tobytes(), full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    return found.hypstr if found else "", len(given) / rate


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        head = f"content-type: {self.headers['content-type']}\r\n\r\n".encode()
        form = BytesParser(policy=HTTP).parsebytes(head + self.rfile.read(int(self.headers["content-length"])))
        [file] = [part.get_payload(decode=True) for part in form.iter_parts() if part.get_filename()]
        text, seconds = transcribe(file)
        answer = json.dumps({"text": text, "usage": {"type": "duration", "seconds": seconds}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
