from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

from loop import instructions, key, look_up, now, question, run_loops, url

openai = {"base_url": f"{url}/v1", "api_key": key, "max_retries": 0}
models = {
    "chat-completions": lambda model: ChatOpenAI(model=model, **openai),
    "responses": lambda model: ChatOpenAI(model=model, use_responses_api=True, **openai),
    "messages": lambda model: ChatAnthropic(model=model, base_url=url, api_key=key, max_retries=0),
    "generate-content": lambda model: ChatGoogleGenerativeAI(model=model, base_url=url, api_key=key, max_retries=1),
}


async def run(wire, model, mode):
    agent = create_agent(models[wire](model), tools=[look_up, now], system_prompt=instructions)
    messages = {"messages": [{"role": "user", "content": question}]}
    if mode == "plain":
        return (await agent.ainvoke(messages))["messages"][-1].text
    text = ""
    async for message, metadata in agent.astream(messages, stream_mode="messages"):
        if metadata["langgraph_node"] != "tools":
            text += message.text
    return text


run_loops(models, run)
