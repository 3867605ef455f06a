import { expect } from 'chai';
import type { ChatCompletionMessage, ChatCompletionMessageParam } from 'openai/resources';
import OpenAI from 'openai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const SIGNATURE = 'c2lnbmF0dXJl'.repeat(150);
const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } } as const;
const user: ChatCompletionMessageParam = { role: 'user', content: 'Look.' };

const answerOf = (signature: string) => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: [{ functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: signature }],
      },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
});

/** A call as a client keeps it that knows only the members of OpenAI. */
const strip = ({ tool_calls: calls = [] }: Pick<ChatCompletionMessage, 'tool_calls'>): ChatCompletionMessageParam[] =>
  calls.flatMap((call): ChatCompletionMessageParam[] => {
    if (call.type !== 'function') return [];
    const { id, function: called } = call;
    return [
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] },
      { role: 'tool', tool_call_id: id, content: 'Seen.' },
    ];
  });

describe("Gemini's signature of a call, for a client that leaves out members it does not know", () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  let signature = SIGNATURE;

  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response, { path }) => {
      if (path.includes('generateContent') && !path.includes('stream')) answerJson(response, answerOf(signature));
      else if (path.includes('streamGenerateContent'))
        answerSse(response, `data: ${JSON.stringify(answerOf(signature))}\n\n`);
      else
        answerJson(response, { id: 'c', choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] });
    };
    gateway = await startTestGateway({
      providers: {
        google: { use: 'google', config: { apiKey: 'k', baseUrl: upstream.url } },
        openai: { use: 'openai', config: { apiKey: 'k', baseUrl: `${upstream.url}/v1` } },
      },
      models: {
        'a/gemini': { targets: [{ provider: 'google', model: 'gemini-3-pro' }] },
        'a/gpt': { targets: [{ provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' }] },
      },
    });
    openai = new OpenAI({ apiKey: KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => {
    signature = SIGNATURE;
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const ask = (model: string, messages: ChatCompletionMessageParam[]) =>
    openai.chat.completions.create({ model, messages, tools: [tool] }).withResponse();
  const call = async (): Promise<ChatCompletionMessage> => {
    const message = (await ask('a/gemini', [user])).data.choices[0]?.message;
    if (message === undefined) throw new Error('there is no choice');
    return message;
  };
  const sent = () => upstream.calls.at(-1)?.body ?? {};

  it('comes back in the id of the call, and the result belongs to it', async () => {
    const { response } = await ask('a/gemini', [user, ...strip(await call())]);
    expect(response.headers.get('x-koine-losses') ?? '').to.not.include('thoughtSignature');
    const [, model, result] = sent()['contents'] as { parts: Record<string, Record<string, unknown>>[] }[];
    expect(model?.parts[0]).to.deep.include({ thoughtSignature: SIGNATURE });
    expect(model?.parts[0]?.['functionCall']).to.deep.include({ name: 'look', args: { at: 1 } });
    expect(result?.parts[0]?.['functionResponse']?.['id']).to.equal(model?.parts[0]?.['functionCall']?.['id']);
    expect(result?.parts[0]?.['functionResponse']?.['name']).to.equal('look');
  });

  it('comes back from a stream as well, whose first fragment of the call has the whole id', async () => {
    const stream = openai.chat.completions.stream({ model: 'a/gemini', messages: [user], tools: [tool] });
    const { choices } = await stream.finalChatCompletion();
    await ask('a/gemini', [user, ...strip(choices[0]?.message ?? {})]);
    expect(JSON.stringify(sent()['contents'])).to.include(`"thoughtSignature":"${SIGNATURE}"`);
  });

  it('is not in the ids that another target gets', async () => {
    const { response } = await ask('a/gpt', [user, ...strip(await call())]);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    const messages = sent()['messages'] as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    const [id, answered] = [messages[1]?.tool_calls?.[0]?.id, messages[2]?.tool_call_id];
    expect(id)
      .to.equal(answered)
      .and.to.match(/^[\w-]{1,40}$/);
    expect(JSON.stringify(messages)).to.not.include('extra_content');
  });

  it('is only in its member if it is too long for an id: then the placeholder is sent, and named', async () => {
    signature = 'c2lnbmF0dXJl'.repeat(600);
    const message = await call();
    expect(message.tool_calls?.[0]?.id.length).to.be.below(100);
    const { response } = await ask('a/gemini', [user, ...strip(message)]);
    expect(response.headers.get('x-koine-losses')).to.include('injected');
    await ask('a/gemini', [user, message, ...strip(message).slice(1)]);
    expect(JSON.stringify(sent()['contents'])).to.include(`"thoughtSignature":"${signature}"`);
  });

  it('is not read from an id that a client has altered', async () => {
    const [assistant, result] = strip(await call());
    const altered = JSON.parse(JSON.stringify([assistant, result]).replaceAll('__a29pbmUx', '__a29pbmUy'));
    const { response } = await ask('a/gemini', [user, ...(altered as ChatCompletionMessageParam[])]);
    expect(response.headers.get('x-koine-losses')).to.include('injected');
  });
});
