"""Loops, images and structured output by the interactions of Google's SDK, which has no loop of its own."""

import json

from google import genai

from loop import calls, instructions, key, look_up, models, now, print_line, question, run_loops, url

client = genai.Client(api_key=key, http_options={"base_url": url})
functions = {"look_up": look_up, "now": now}
city = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tools = [
    {"type": "function", "name": "look_up", "description": "The weather of a city.", "parameters": city},
    {"type": "function", "name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}},
]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def join_steps(events):
    """The steps of a stream, as the guide to streaming says."""
    steps, arguments, ended = {}, {}, None
    for event in events:
        if event.event_type == "step.start":
            steps[event.index] = event.step.model_dump(exclude_none=True)
        elif event.event_type == "step.delta":
            step, delta = steps[event.index], event.delta
            if delta.type == "text":
                step.setdefault("content", [{"type": "text", "text": ""}])[0]["text"] += delta.text
            elif delta.type == "thought_signature":
                step["signature"] = delta.signature
            elif delta.type == "thought_summary":
                step.setdefault("summary", []).append(delta.content.model_dump(exclude_none=True))
            elif delta.type == "arguments_delta":
                arguments[event.index] = arguments.get(event.index, "") + delta.arguments
        elif event.event_type == "interaction.completed":
            ended = event.interaction
        elif event.event_type == "error":
            raise RuntimeError(event.error)
    for index, text in arguments.items():
        steps[index]["arguments"] = json.loads(text)
    return [steps[index] for index in sorted(steps)], ended


def create(mode, **request):
    """The steps of one interaction, and the interaction."""
    if mode == "streamed":
        return join_steps(client.interactions.create(stream=True, **request))
    interaction = client.interactions.create(**request)
    return [step.model_dump(exclude_none=True) for step in interaction.steps], interaction


def text_of(steps):
    outputs = [step.get("content", []) for step in steps if step["type"] == "model_output"]
    return "".join(content.get("text", "") for contents in outputs for content in contents)


def results_of(steps):
    return [
        {
            "type": "function_result",
            "call_id": step["id"],
            "name": step["name"],
            "result": functions[step["name"]](**step["arguments"]),
        }
        for step in steps
        if step["type"] == "function_call"
    ]


async def run(way, model, mode):
    """One loop: with all steps in each request, or with the id of the interaction before."""
    history = [{"type": "user_input", "content": [{"type": "text", "text": question}]}]
    previous = {}
    while True:
        steps, interaction = create(
            mode, model=model, input=history, tools=tools, system_instruction=instructions, **previous
        )
        results = results_of(steps)
        if not results:
            return text_of(steps)
        if way == "steps":
            history = [*history, *steps, *results]
        else:
            history, previous = results, {"previous_interaction_id": interaction.id}


run_loops(["steps"], run)
# The vendor that plays Google stores nothing.
run_loops(["previous_interaction_id"], run, [model for model in models if not model.startswith("google/")])

picture = [{"type": "text", "text": "What is this?"}, {"type": "image", "mime_type": "image/png", "data": PNG}]
format_of_city = {"type": "text", "mime_type": "application/json", "schema": {**city, "additionalProperties": False}}
requests = {
    "image": {"input": [{"type": "user_input", "content": picture}]},
    "structured": {"input": "Weather in Oslo?", "response_format": format_of_city},
}
for name, request in requests.items():
    for model in models:
        for mode in ["plain", "streamed"]:
            calls.clear()
            print_line(name, model, mode, text_of(create(mode, model=model, **request)[0]))
