from anthropic import AsyncAnthropic
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from loop import instructions, key, look_up, now, question, run_loops, url

openai = OpenAIProvider(base_url=f"{url}/v1", api_key=key)
anthropic = AnthropicProvider(anthropic_client=AsyncAnthropic(base_url=url, api_key=key, max_retries=0))
google = GoogleProvider(base_url=url, api_key=key)
models = {
    "chat-completions": lambda model: OpenAIChatModel(model, provider=openai),
    "responses": lambda model: OpenAIResponsesModel(model, provider=openai),
    "messages": lambda model: AnthropicModel(model, provider=anthropic),
    "generate-content": lambda model: GoogleModel(model, provider=google),
}


async def run(wire, model, mode):
    agent = Agent(models[wire](model), instructions=instructions, tools=[look_up, now])
    if mode == "plain":
        return (await agent.run(question)).output

    # Its `run_stream` ends the loop at the first text.
    async def read(_context, events):
        async for _ in events:
            pass

    return (await agent.run(question, event_stream_handler=read)).output


run_loops(models, run)
