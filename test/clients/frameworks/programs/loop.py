"""The gateway and the models that each framework calls, and how its loops are run and printed."""

import asyncio
import json
import os
import traceback
import warnings

warnings.filterwarnings("ignore")
url = os.environ["KOINE_URL"]
key = os.environ["KOINE_KEY"]
models = os.environ["MODELS"].split(" ")

question = "Weather in Oslo, Rome and Paris?"
instructions = "Be brief."
calls = []


def look_up(city: str) -> str:
    """The weather of a city.

    Args:
        city: The name of the city.
    """
    calls.append(city)
    return f"Sunny in {city}."


def now() -> str:
    """The time."""
    calls.append("now")
    return "12:00"


def print_line(wire, model, mode, text):
    """Prints how a loop ended. Some frameworks print without an end of line."""
    line = {"wire": wire, "model": model, "mode": mode, "text": str(text), "calls": calls}
    print(f"\n{json.dumps(line)}", flush=True)


async def run_loops_async(wires, run, at):
    for wire in wires:
        for model in at:
            for mode in ["plain", "streamed"]:
                calls.clear()
                try:
                    text = await run(wire, model, mode)
                except Exception:
                    text = f"failed: {traceback.format_exc()}"
                print_line(wire, model, mode, text)


def run_loops(wires, run, at=models):
    """Runs the loop over each wire of the client at each model, plain and streamed."""
    asyncio.run(run_loops_async(wires, run, at))
