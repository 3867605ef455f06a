import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { descriptions, instructions, key, lookUp, now, question, runLoops, url } from './loop.mjs';

const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: key });
const google = createGoogle({ baseURL: `${url}/v1beta`, apiKey: key });
const providers = {
  'chat-completions': openai.chat,
  'responses': openai,
  'messages': createAnthropic({ baseURL: `${url}/v1`, apiKey: key }),
  'generate-content': google,
  'interactions': google.interactions,
};
const tools = {
  look_up: tool({ description: descriptions.look_up, inputSchema: z.object({ city: z.string() }), execute: lookUp }),
  now: tool({ description: descriptions.now, inputSchema: z.object({}), execute: now }),
};

await runLoops(Object.keys(providers), async (wire, model, mode) => {
  const request = {
    model: providers[wire](model),
    tools,
    instructions,
    prompt: question,
    stopWhen: stepCountIs(8),
    maxRetries: 0,
  };
  if (mode === 'plain') return (await generateText(request)).text;
  let failure;
  const { text } = streamText({ ...request, onError: ({ error }) => void (failure = error) });
  const words = await text;
  if (failure !== undefined) throw failure;
  return words;
});
