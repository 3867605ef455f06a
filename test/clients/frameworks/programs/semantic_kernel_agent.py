from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

import loop
from loop import instructions, key, question, run_loops, url


class Weather:
    @kernel_function(name="look_up", description="The weather of a city.")
    def look_up(self, city: str) -> str:
        return loop.look_up(city)

    @kernel_function(name="now", description="The time.")
    def now(self) -> str:
        return loop.now()


client = AsyncOpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)


async def run(_wire, model, mode):
    agent = ChatCompletionAgent(
        service=OpenAIChatCompletion(ai_model_id=model, async_client=client),
        name="weather",
        instructions=instructions,
        plugins=[Weather()],
    )
    if mode == "plain":
        return str(await agent.get_response(messages=question))
    text = ""
    async for chunk in agent.invoke_stream(messages=question):
        text += str(chunk)
    return text


run_loops(["chat-completions"], run)
