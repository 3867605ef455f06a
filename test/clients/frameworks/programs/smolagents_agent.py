from smolagents import LogLevel, OpenAIModel, ToolCallingAgent, tool

from loop import key, look_up, now, question, run_loops, url


async def run(_wire, model, mode):
    agent = ToolCallingAgent(
        tools=[tool(look_up), tool(now)],
        model=OpenAIModel(model_id=model, api_base=f"{url}/v1", api_key=key),
        stream_outputs=mode == "streamed",
        verbosity_level=LogLevel.OFF,
        max_steps=8,
    )
    return agent.run(question)


run_loops(["chat-completions"], run)
