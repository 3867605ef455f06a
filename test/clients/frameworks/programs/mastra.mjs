import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { descriptions, instructions, key, lookUp, now, question, runLoops, url } from './loop.mjs';

const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: key });
const providers = {
  'chat-completions': openai.chat,
  'responses': openai,
  'messages': createAnthropic({ baseURL: `${url}/v1`, apiKey: key }),
  'generate-content': createGoogle({ baseURL: `${url}/v1beta`, apiKey: key }),
};
const tools = {
  look_up: createTool({
    id: 'look_up',
    description: descriptions.look_up,
    inputSchema: z.object({ city: z.string() }),
    execute: (input) => Promise.resolve(lookUp(input)),
  }),
  now: createTool({
    id: 'now',
    description: descriptions.now,
    inputSchema: z.object({}),
    execute: () => Promise.resolve(now()),
  }),
};

await runLoops(Object.keys(providers), async (wire, model, mode) => {
  const agent = new Agent({
    id: 'weather',
    name: 'weather',
    instructions,
    model: providers[wire](model),
    tools,
    maxRetries: 0,
  });
  const options = { maxSteps: 8 };
  if (mode === 'plain') return (await agent.generate(question, options)).text;
  return await (
    await agent.stream(question, options)
  ).text;
});
