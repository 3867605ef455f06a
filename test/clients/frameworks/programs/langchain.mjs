import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { descriptions, instructions, key, lookUp, now, question, runLoops, url } from './loop.mjs';

const openai = { apiKey: key, configuration: { baseURL: `${url}/v1` }, maxRetries: 0 };
const models = {
  'chat-completions': (model) => new ChatOpenAI({ model, ...openai }),
  'responses': (model) => new ChatOpenAI({ model, ...openai, useResponsesApi: true }),
  'messages': (model) => new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: url, maxRetries: 0 }),
  'generate-content': (model) => new ChatGoogleGenerativeAI({ model, apiKey: key, baseUrl: url, maxRetries: 0 }),
};
const tools = [
  tool(lookUp, { name: 'look_up', description: descriptions.look_up, schema: z.object({ city: z.string() }) }),
  tool(now, { name: 'now', description: descriptions.now, schema: z.object({}) }),
];

await runLoops(Object.keys(models), async (wire, model, mode) => {
  const agent = createAgent({ model: models[wire](model), tools, systemPrompt: instructions });
  const input = { messages: [{ role: 'user', content: question }] };
  if (mode === 'plain') return (await agent.invoke(input)).messages.at(-1).text;
  let text = '';
  for await (const [message, { langgraph_node: node }] of await agent.stream(input, { streamMode: 'messages' }))
    if (node !== 'tools') text += message.text;
  return text;
});
