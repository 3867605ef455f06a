import dspy

from loop import key, look_up, now, question, run_loops, url


async def run(_wire, model, mode):
    lm = dspy.LM(f"openai/{model}", api_base=f"{url}/v1", api_key=key, cache=False, num_retries=0)
    with dspy.context(lm=lm):
        program = dspy.ReAct("question -> answer", tools=[look_up, now], max_iters=8)
        if mode == "plain":
            return (await program.acall(question=question)).answer
        streamed = dspy.streamify(
            program, stream_listeners=[dspy.streaming.StreamListener(signature_field_name="answer")]
        )
        answer = ""
        async for part in streamed(question=question):
            if isinstance(part, dspy.Prediction):
                answer = part.answer
        return answer


run_loops(["chat-completions"], run)
