import type { CallableTool, FunctionCall, FunctionDeclaration } from '@google/genai';
import { createChatClient } from '../clients/client-chat.ts';
import { createGoogleClient } from '../clients/client-google.ts';
import { createMessagesClient } from '../clients/client-messages.ts';
import type { Json, Mode } from '../wires.ts';

/** One run of a helper. */
export interface Run {
  readonly url: string;
  readonly model: string;
  readonly mode: Mode;
  /** Runs a tool of the client. */
  readonly call: (name: string, input: Json) => string;
}

/** A loop of tools that an SDK runs by itself. @returns the text with which it ended */
type RunHelper = (run: Run) => Promise<string>;
export interface Helper {
  readonly run: RunHelper;
  /** It sends back only members that the vendor of the SDK has, so thoughts of other vendors do not return. */
  readonly forgets?: true;
}

const question = 'Weather in Oslo, Rome and Paris?';

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: { type: 'object'; properties: Record<string, { type: 'string' }>; required?: string[] };
}
const tools: readonly Tool[] = [
  {
    name: 'look_up',
    description: 'The weather of a city.',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { name: 'now', description: 'The time.', schema: { type: 'object', properties: {} } },
];

/** `client.chat.completions.runTools` of OpenAI's SDK. */
const runTools: RunHelper = async ({ url, model, mode, call }) => {
  const request = {
    model,
    messages: [{ role: 'user' as const, content: question }],
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function' as const,
      function: {
        name,
        description,
        parameters: schema,
        parse: (text: string) => JSON.parse(text) as Json,
        function: (input: Json) => call(name, input),
      },
    })),
  };
  const { completions } = createChatClient(url).chat;
  const runner = mode === 'plain' ? completions.runTools(request) : completions.runTools({ ...request, stream: true });
  return (await runner.finalContent()) ?? '';
};

/** `client.beta.messages.toolRunner` of Anthropic's SDK, by default over a thread. */
const toolRunner =
  (more: { readonly thread?: false; readonly thinking?: { type: 'enabled'; budget_tokens: number } }): RunHelper =>
  async ({ url, model, mode, call }) => {
    const runner = createMessagesClient(url).beta.messages.toolRunner({
      model,
      max_tokens: 4_000,
      messages: [{ role: 'user', content: question }],
      tools: tools.map(({ name, description, schema }) => ({
        name,
        description,
        input_schema: schema,
        parse: (input: unknown) => input as Json,
        run: (input: Json) => call(name, input),
      })),
      stream: mode === 'streamed',
      ...more,
    });
    const { content } = await runner.runUntilDone();
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  };

/** Automatic function calling of Google's SDK. */
const callFunctions: RunHelper = async ({ url, model, mode, call }) => {
  const declarations = tools.map(({ name, description, schema }): FunctionDeclaration => ({
    name,
    description,
    parametersJsonSchema: schema,
  }));
  const respond = ({ id, name = '', args = {} }: FunctionCall) => ({
    functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: call(name, args) } },
  });
  const callable: CallableTool = {
    tool: () => Promise.resolve({ functionDeclarations: declarations }),
    callTool: (calls) => Promise.resolve(calls.map(respond)),
  };
  const { models } = createGoogleClient(url);
  const request = { model, contents: question, config: { tools: [callable] } };
  if (mode === 'plain') return (await models.generateContent(request)).text ?? '';
  const chunks = await Array.fromAsync(await models.generateContentStream(request));
  // The member `text` of a chunk warns of each call.
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  return parts.map((part) => part.text ?? '').join('');
};

export const helpers: Readonly<Record<string, Helper>> = {
  'runTools of openai': { run: runTools, forgets: true },
  'toolRunner of @anthropic-ai/sdk': { run: toolRunner({}) },
  'toolRunner of @anthropic-ai/sdk, with thinking and without a thread': {
    run: toolRunner({ thread: false, thinking: { type: 'enabled', budget_tokens: 2_000 } }),
  },
  'automatic function calling of @google/genai': { run: callFunctions },
};
