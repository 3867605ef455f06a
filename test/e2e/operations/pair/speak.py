"""Speaks with espeak-ng, in the shape of OpenAI: POST /v1/audio/speech, WAV only."""

import ctypes
import io
import json
import wave
from http.server import BaseHTTPRequestHandler, HTTPServer

import espeakng_loader

SYNCHRONOUS = 2
espeak = ctypes.CDLL(espeakng_loader.get_library_path())
samples_a_second = espeak.espeak_Initialize(SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0)
espeak.espeak_SetVoiceByName(b"en-us")
samples = bytearray()


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
def collect(start, count, _events):
    if start:
        samples.extend(ctypes.string_at(start, 2 * count))
    return 0


espeak.espeak_SetSynthCallback(collect)


def speak(text):
    samples.clear()
    data = text.encode() + b"\0"
    espeak.espeak_Synth(data, ctypes.c_size_t(len(data)), 0, 1, 0, 1, None, None)
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setparams((1, 2, samples_a_second, 0, "NONE", ""))
        wav.writeframes(bytes(samples))
    return file.getvalue()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        wav = speak(body["input"])
        self.send_response(200)
        self.send_header("content-type", "audio/wav")
        self.send_header("content-length", str(len(wav)))
        self.end_headers()
        self.wfile.write(wav)


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
