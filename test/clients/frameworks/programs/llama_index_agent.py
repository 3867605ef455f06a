from llama_index.core.agent.workflow import AgentStream, FunctionAgent
from llama_index.llms.openai_like import OpenAILike

from loop import instructions, key, look_up, now, question, run_loops, url


async def run(_wire, model, mode):
    llm = OpenAILike(
        model=model,
        api_base=f"{url}/v1",
        api_key=key,
        is_chat_model=True,
        is_function_calling_model=True,
        context_window=128000,
        max_retries=0,
    )
    agent = FunctionAgent(
        tools=[look_up, now], llm=llm, system_prompt=instructions, streaming=mode == "streamed"
    )
    handler = agent.run(question)
    text = ""
    async for event in handler.stream_events():
        if isinstance(event, AgentStream):
            text += event.delta
    whole = str(await handler)
    return text if mode == "streamed" else whole


run_loops(["chat-completions"], run)
