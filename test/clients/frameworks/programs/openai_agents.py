from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

from loop import instructions, key, look_up, now, question, run_loops, url

set_tracing_disabled(True)
client = AsyncOpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)
models = {"chat-completions": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}


async def run(wire, model, mode):
    agent = Agent(
        name="weather",
        instructions=instructions,
        model=models[wire](model=model, openai_client=client),
        tools=[function_tool(look_up), function_tool(now)],
    )
    if mode == "plain":
        return (await Runner.run(agent, question)).final_output
    result = Runner.run_streamed(agent, question)
    async for _ in result.stream_events():
        pass
    return result.final_output


run_loops(models, run)
