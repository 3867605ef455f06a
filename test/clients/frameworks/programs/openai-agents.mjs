import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { descriptions, instructions, key, lookUp, now, question, runLoops, url } from './loop.mjs';

setTracingDisabled(true);
const tools = [
  tool({
    name: 'look_up',
    description: descriptions.look_up,
    parameters: z.object({ city: z.string() }),
    execute: lookUp,
  }),
  tool({ name: 'now', description: descriptions.now, parameters: z.object({}), execute: now }),
];

await runLoops(['chat-completions', 'responses'], async (wire, model, mode) => {
  const modelProvider = new OpenAIProvider({
    baseURL: `${url}/v1`,
    apiKey: key,
    useResponses: wire === 'responses',
  });
  const agent = new Agent({ name: 'weather', instructions, model, tools });
  const runner = new Runner({ modelProvider });
  if (mode === 'plain') return (await runner.run(agent, question)).finalOutput;
  const stream = await runner.run(agent, question, { stream: true });
  await stream.completed;
  if (stream.error) throw stream.error;
  return stream.finalOutput;
});
