import { expect } from 'chai';
import OpenAI, { type APIError, AuthenticationError, RateLimitError } from 'openai';
import { GatewayError } from '../../../../../core/api/index.ts';
import type { GenerateEvent } from '../../../../../core/api/codec.ts';
import {
  answerOf,
  client,
  decode,
  decodeBody,
  eventsOf,
  goldenEvents,
  goldenSse,
  receive,
  respond,
  sdkOn,
  textEvents,
  writeSse,
} from './harness.ts';

const proving = decode({ stream: true, include: ['reasoning.encrypted_content'] });
const callStart = (
  part: number,
  id: string,
  name: string,
  kind: 'function' | 'custom' = 'function',
): GenerateEvent => ({ type: 'part-start', choice: 0, part, kind: 'tool-call', call: { id, name, kind } });
const delta = (part: number, text: string): GenerateEvent => ({ type: 'part-delta', choice: 0, part, text });
const end = (part: number): GenerateEvent => ({ type: 'part-end', choice: 0, part });
const start: GenerateEvent = { type: 'response-start', id: 'resp_1', model: 'p/m' };
const over: readonly GenerateEvent[] = [
  { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
  { type: 'response-end' },
];

/** Without what the SDK adds to a parsed response. */
const asSent = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, member: unknown) => (name.startsWith('parsed') ? undefined : member)));

describe('responses: the official SDK', () => {
  it('the SDK reads the golden conversation from our stream as it does from the golden stream', async () => {
    const [ours, golden] = await Promise.all([receive(writeSse(goldenEvents, proving)), receive(goldenSse())]);
    expect(ours.output).to.deep.equal(golden.output);
    expect(ours.output_text).to.equal(golden.output_text);
    expect(ours.usage).to.deep.equal(golden.usage);
    const settings = [
      'id',
      'object',
      'created_at',
      'status',
      'model',
      'error',
      'incomplete_details',
      'instructions',
      'metadata',
      'parallel_tool_calls',
      'tool_choice',
      'tools',
    ] as const;
    for (const name of settings) expect(ours[name], name).to.deep.equal(golden[name]);
  });

  it('the SDK reads the same from a plain response', async () => {
    const streamed = await receive(writeSse(goldenEvents, proving));
    const plain = respond(
      {
        id: 'resp_1',
        model: 'p/m',
        choices: [
          {
            parts: [
              { type: 'reasoning', text: 'Let me check.', proof: { origin: undefined, value: 'SIG' } },
              { type: 'text', text: 'Checking.' },
              { type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function', input: '{"city":"Paris"}' },
              { type: 'tool-call', id: 'call_2', name: 'get_time', kind: 'function', input: '' },
            ],
            finish: { reason: 'tool_calls' },
          },
        ],
      },
      proving,
    );
    const read = await sdkOn(JSON.stringify(plain.body)).responses.create({ model: 'm', input: 'hi' });
    expect(read.output_text).to.equal('Checking.');
    expect(asSent(read.output)).to.deep.equal(asSent(streamed.output));
  });

  it('E52: the SDK reads calls whose fragments alternate, one after the other', async () => {
    const response = await receive(
      writeSse([
        start,
        ...textEvents(9, 'Both.'),
        callStart(0, 'a', 'first'),
        callStart(1, 'b', 'second'),
        delta(0, '{"x":'),
        delta(1, '{"y":'),
        delta(0, '1}'),
        delta(1, '2}'),
        end(1),
        end(0),
        ...over,
      ]),
    );
    expect(
      response.output.map((item) =>
        item.type === 'function_call' ? [item.call_id, item.name, item.arguments] : item.type,
      ),
    ).to.deep.equal(['message', ['a', 'first', '{"x":1}'], ['b', 'second', '{"y":2}']]);
  });

  it('the SDK accepts texts, refusals, custom calls, images and hosted items in one response', async () => {
    const value = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } };
    const events: readonly GenerateEvent[] = [
      start,
      ...textEvents(0, 'one ', 'two'),
      ...textEvents(1, ' three'),
      { type: 'part-start', choice: 0, part: 2, kind: 'opaque', value: { type: 'opaque', wire: 'responses', value } },
      end(2),
      { type: 'part-start', choice: 0, part: 3, kind: 'refusal' },
      delta(3, 'No.'),
      end(3),
      callStart(4, 'call_1', 'apply_patch', 'custom'),
      delta(4, '*** Begin'),
      end(4),
      {
        type: 'part-start',
        choice: 0,
        part: 5,
        kind: 'media',
        value: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
      },
      end(5),
      ...over,
    ];
    const response = await receive(writeSse(events));
    expect(response.output.map(({ type }) => type)).to.deep.equal([
      'message',
      'web_search_call',
      'message',
      'custom_tool_call',
      'image_generation_call',
    ]);
    expect(response.output_text).to.equal('one two three');
    expect(response.output[1]).to.deep.include(value);
    expect(asSent(response.output[2])).to.deep.include({ content: [{ type: 'refusal', refusal: 'No.' }] });
    expect(response.output[3]).to.include({ call_id: 'call_1', name: 'apply_patch', input: '*** Begin' });
    expect(response.output[4]).to.include({ result: 'iVBORw0KGgo=' });
  });

  it('E49: the SDK gets unique ids for calls that share one', async () => {
    const response = await receive(
      writeSse([
        start,
        callStart(0, 'call_0', 'f'),
        end(0),
        callStart(1, 'call_0', 'f'),
        end(1),
        callStart(2, '', 'f'),
        end(2),
        ...over,
      ]),
    );
    const ids = response.output.map((item) => (item.type === 'function_call' ? item.call_id : ''));
    expect(new Set(ids).size).to.equal(3);
    expect(ids[0]).to.equal('call_0');
  });

  it('E30: a failed stream resolves in the SDK with a failed response that holds the output so far', async () => {
    const response = await receive(
      writeSse([
        start,
        { type: 'part-start', choice: 0, part: 0, kind: 'text' },
        delta(0, 'Half of'),
        { type: 'error', error: new GatewayError('upstream_truncated') },
      ]),
    );
    expect(response.status).to.equal('failed');
    expect(response.error).to.deep.equal({
      code: 'server_error',
      message: 'The response of the provider ended before it was complete.',
    });
    expect(response.output_text).to.equal('Half of');
    expect(response.output[0]).to.include({ type: 'message', status: 'incomplete' });
  });

  it('the SDK reads a response without any content', async () => {
    const response = await receive(writeSse([start, ...over]));
    expect(response.output).to.deep.equal([]);
    expect(response.output_text).to.equal('');
    expect(response.status).to.equal('completed');
  });

  it('the SDK parses the output format that it requested', async () => {
    const text = { format: { type: 'json_schema' as const, name: 'place', schema: { type: 'object' }, strict: true } };
    const stream = sdkOn(
      writeSse([start, ...textEvents(0, '{"city":', '"Rome"}'), ...over], decode({ stream: true, text })),
    ).responses.stream({ model: 'm', input: 'hi', text });
    expect((await stream.finalResponse()).text).to.deep.equal({ format: { ...text.format, description: null } });
  });

  it("the SDK maps the gateway's errors to its classes", async () => {
    const refuse = async (error: GatewayError): Promise<unknown> => {
      const { status, headers, body } = client.encodeError(error, { requestId: 'r' });
      return sdkOn(JSON.stringify(body), status, headers)
        .responses.create({ model: 'm', input: 'hi' })
        .catch((reason: unknown) => reason);
    };
    const unauthorised = await refuse(new GatewayError('invalid_api_key'));
    expect(unauthorised).to.be.instanceOf(AuthenticationError);
    expect(unauthorised).to.deep.include({ code: 'invalid_api_key' });
    expect(await refuse(new GatewayError('rate_limit_exceeded'))).to.be.instanceOf(RateLimitError);
    expect((await refuse(new GatewayError('upstream_overloaded'))) as APIError).to.include({
      status: 503,
      code: 'overloaded',
    });
  });

  it('the SDK sends requests that decode, and receives output that decodes as input', async () => {
    const sent: unknown[] = [];
    const sdk = new OpenAI({
      apiKey: 'k',
      baseURL: 'http://127.0.0.1:1/v1',
      fetch: (_url, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return Promise.resolve(
          new Response(JSON.stringify(respond(answerOf([{ type: 'text', text: 'Rome' }])).body), {
            headers: { 'content-type': 'application/json' },
          }),
        );
      },
    });
    const first = await sdk.responses.create({
      model: 'm',
      input: 'Where?',
      instructions: 'Be brief.',
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: true }],
    });
    await sdk.responses.create({
      model: 'm',
      input: [
        { role: 'user', content: 'Where?' },
        ...(asSent(first.output) as OpenAI.Responses.ResponseInputItem[]),
        { role: 'user', content: 'Sure?' },
      ],
    });
    expect(decodeBody(sent[0]).request).to.deep.include({
      reasoning: { effort: 'low', show: true },
      tools: [{ kind: 'function', name: 'f', schema: { type: 'object' }, strict: true }],
    });
    expect(decodeBody(sent[1]).request.turns).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Rome' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Sure?' }] },
    ]);
  });

  it('the SDK reads the events of a whole response in order', async () => {
    const seen: string[] = [];
    const stream = sdkOn(
      writeSse(
        eventsOf(
          answerOf([
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'hello' },
          ]),
        ),
      ),
    ).responses.stream({ model: 'm', input: 'hi' });
    for await (const event of stream) seen.push(event.type);
    expect(seen).to.deep.equal([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });
});
