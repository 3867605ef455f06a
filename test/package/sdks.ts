import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';

const model = 'simulator/chat';
const question = 'Hello';
const messages = [{ role: 'user' as const, content: question }];

async function collect<T>(stream: AsyncIterable<T>, textOf: (event: T) => string | null | undefined): Promise<string> {
  let text = '';
  for await (const event of stream) text += textOf(event) ?? '';
  return text;
}

/** @returns the answers by the method of the SDK: plain and streamed, which have the same text */
export async function askEachSdk(url: string, apiKey: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
  const completion = await openai.chat.completions.create({ model, messages });
  const response = await openai.responses.create({ model, input: question });
  const message = await anthropic.messages.create({ model, max_tokens: 256, messages });
  const content = await google.models.generateContent({ model, contents: question });
  return {
    'chat.completions.create': [
      completion.choices[0]?.message.content ?? '',
      await collect(
        await openai.chat.completions.create({ model, messages, stream: true }),
        ({ choices }) => choices[0]?.delta.content,
      ),
    ],
    'responses.create': [
      response.output_text,
      await collect(await openai.responses.create({ model, input: question, stream: true }), (event) =>
        event.type === 'response.output_text.delta' ? event.delta : '',
      ),
    ],
    'messages.create': [
      message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      await collect(await anthropic.messages.create({ model, max_tokens: 256, messages, stream: true }), (event) =>
        event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '',
      ),
    ],
    'models.generateContent': [
      content.text ?? '',
      await collect(await google.models.generateContentStream({ model, contents: question }), ({ text }) => text),
    ],
  };
}
