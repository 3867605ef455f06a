import { expect } from 'chai';
import type { GenerateResponse, JsonObject, Part } from '../../../../core/api/index.ts';
import { foldEvents, isObject } from '../../../../core/api/codec.ts';
import {
  clientSide,
  encode,
  framesOf,
  inbound,
  readContext,
  readStream,
  upstreamSide,
  versioned,
  writeContext,
  writeSse,
} from './exchange.ts';
import { readRecordings, type Recording } from './recordings.ts';

/** One spelling for what the wire spells in several ways. Nothing else may differ. */
const normaliseBlocks = (content: unknown): unknown => {
  const blocks =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? (content as readonly JsonObject[])
        : [];
  return (
    blocks
      // Empty text says nothing, and the wire refuses it.
      .filter((block) => !(block['type'] === 'text' && block['text'] === ''))
      .map((block) => {
        const plain: JsonObject = { ...block };
        // Five minutes are the default of a mark.
        if (isObject(plain['cache_control']) && plain['cache_control']['ttl'] === '5m')
          plain['cache_control'] = { type: 'ephemeral' };
        // A call of the model itself is the default.
        if (isObject(plain['caller']) && plain['caller']['type'] === 'direct') delete plain['caller'];
        // `false` and null are the defaults.
        if (plain['is_error'] === false) delete plain['is_error'];
        if (plain['type'] === 'tool_result') {
          plain['content'] = normaliseBlocks(plain['content']);
          if ((plain['content'] as readonly unknown[]).length === 0) delete plain['content'];
        }
        return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null));
      })
  );
};

const normaliseMessages = (messages: unknown): unknown =>
  (messages as readonly JsonObject[]).map((message) => ({ ...message, content: normaliseBlocks(message['content']) }));

const normaliseThinking = (body: JsonObject): void => {
  const { thinking } = body;
  if (!isObject(thinking) || thinking['type'] !== 'adaptive') return;
  // Shown, and with effort `high`: what leaving them out says.
  body['thinking'] = { display: 'summarized', ...thinking };
  body['output_config'] = { effort: 'high', ...(body['output_config'] as JsonObject | undefined) };
};

const normalise = (recorded: JsonObject): JsonObject => {
  const body = structuredClone(recorded);
  body['messages'] = normaliseMessages(body['messages']);
  if (body['system'] !== undefined) body['system'] = normaliseBlocks(body['system']);
  // No block says as much as no prompt.
  if (Array.isArray(body['system']) && body['system'].length === 0) delete body['system'];
  if (Array.isArray(body['tools'])) {
    body['tools'] = (body['tools'] as readonly JsonObject[]).map(
      (tool) => (normaliseBlocks([{ type: 'custom', ...tool }]) as readonly JsonObject[])[0],
    );
    if ((body['tools'] as readonly unknown[]).length === 0) delete body['tools'];
  }
  // No tool to choose, no choice.
  if (body['tools'] === undefined) delete body['tool_choice'];
  if (isObject(body['tool_choice']) && body['tool_choice']['disable_parallel_tool_use'] === false)
    delete body['tool_choice']['disable_parallel_tool_use'];
  // The forerunner's name.
  if (body['output_format'] !== undefined) body['output_config'] = { format: body['output_format'] };
  delete body['output_format'];
  normaliseThinking(body);
  // -1 is "not set".
  for (const name of ['top_p', 'top_k']) if (body[name] === -1) delete body[name];
  if (body['stream'] === false) delete body['stream'];
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null && name !== 'model'));
};

const textOf = (blocks: readonly JsonObject[]): string =>
  blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('|');
const thinkingOf = (blocks: readonly JsonObject[]): string =>
  blocks
    .filter(({ type }) => type === 'thinking')
    .map(({ thinking }) => thinking)
    .join('|');
const callsOf = (blocks: readonly JsonObject[]) =>
  blocks.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => ({ id, name, input }));
const opaqueTypesOf = (blocks: readonly JsonObject[]) =>
  blocks
    .map(({ type }) => type)
    .filter((type) => !['text', 'thinking', 'redacted_thinking', 'tool_use'].includes(String(type)));

const partsOf = <T extends Part['type']>(response: GenerateResponse, type: T) =>
  (response.choices[0]?.parts ?? []).filter((part): part is Extract<Part, { type: T }> => part.type === type);

/** What a decoded answer says, in the words that the recorded JSON is read with. */
const summarise = (response: GenerateResponse) => ({
  id: response.id,
  model: response.model,
  text: partsOf(response, 'text')
    .map(({ text }) => text)
    .join('|'),
  thinking: partsOf(response, 'reasoning')
    .filter(({ redacted }) => redacted !== true)
    .map(({ text }) => text)
    .join('|'),
  signatures: partsOf(response, 'reasoning').map(({ proof }) => proof?.value),
  calls: partsOf(response, 'tool-call').map(({ id, name, input }) => ({
    id,
    name,
    input: JSON.parse(input) as unknown,
  })),
  citations: partsOf(response, 'text').flatMap(({ citations = [] }) => citations.map(({ vendor }) => vendor.value)),
  opaque: partsOf(response, 'opaque').map(({ value }) => (value as JsonObject)['type']),
  stop: response.choices[0]?.finish.vendor,
  input: response.usage?.inputUncached,
  cacheRead: response.usage?.cacheRead,
  cacheWrite: (response.usage?.cacheWrite5m ?? 0) + (response.usage?.cacheWrite1h ?? 0),
  output: response.usage?.output,
});

const summariseRecorded = (message: JsonObject) => {
  const blocks = message['content'] as readonly JsonObject[];
  const usage = message['usage'] as Record<string, number | null | undefined>;
  return {
    id: message['id'],
    model: message['model'],
    text: textOf(blocks),
    thinking: thinkingOf(blocks),
    signatures: blocks
      .filter(({ type }) => type === 'thinking' || type === 'redacted_thinking')
      .map(({ signature, data }) => signature ?? data),
    calls: callsOf(blocks),
    citations: blocks
      .filter(({ type }) => type === 'text')
      .flatMap(({ citations }) => (citations as readonly unknown[] | null | undefined) ?? []),
    opaque: opaqueTypesOf(blocks),
    stop: message['stop_reason'],
    input: usage['input_tokens'],
    cacheRead: usage['cache_read_input_tokens'] ?? 0,
    cacheWrite: usage['cache_creation_input_tokens'] ?? 0,
    output: usage['output_tokens'],
  };
};

/** Plays a recorded stream by hand: the message that its events add up to. */
const playStream = (text: string): JsonObject => {
  let message: JsonObject = {};
  const blocks: JsonObject[] = [];
  const json = new Map<number, string>();
  for (const line of text.split(/\r?\n/).filter((candidate) => candidate.startsWith('data:'))) {
    const event = JSON.parse(line.slice(5)) as Record<string, JsonObject> & { index: number; type: string };
    if (event.type === 'message_start') {
      message = event['message'] ?? {};
      blocks.push(...(message['content'] as readonly JsonObject[]));
    }
    if (event.type === 'content_block_start') blocks[event.index] = { ...event['content_block'] };
    if (event.type === 'content_block_delta') {
      const block = blocks[event.index] ?? {};
      const { text: words, thinking, signature, partial_json: partial, citation } = event['delta'] ?? {};
      if (words !== undefined) block['text'] = `${String(block['text'])}${String(words)}`;
      if (thinking !== undefined) block['thinking'] = `${String(block['thinking'])}${String(thinking)}`;
      if (signature !== undefined) block['signature'] = signature;
      if (citation !== undefined)
        block['citations'] = [...((block['citations'] as readonly unknown[] | undefined) ?? []), citation];
      if (partial !== undefined) json.set(event.index, `${json.get(event.index) ?? ''}${String(partial)}`);
    }
    if (event.type === 'message_delta')
      message = { ...message, ...event['delta'], usage: { ...(message['usage'] as JsonObject), ...event['usage'] } };
  }
  for (const [index, text_] of json) if (text_ !== '') (blocks[index] ?? {})['input'] = JSON.parse(text_);
  return { ...message, content: blocks };
};

const headersOf = ({ request }: Recording) => ({ ...request.headers, ...versioned });

describe('messages: recorded traffic', () => {
  for (const file of ['anthropic-messages', 'anthropic-messages-stream']) {
    it(`keeps every request of ${file} intact through the canonical form`, function () {
      const recordings = readRecordings(file);
      if (recordings === undefined) return this.skip();
      let checked = 0;
      for (const recording of recordings) {
        const { body } = recording.request;
        if (body === null) continue;
        const { request } = clientSide.decodeRequest(
          inbound({ model: recording.model, ...body }, headersOf(recording)),
        );
        const encoded = encode(request);
        expect(normalise(encoded.body), recording.id).to.deep.equal(normalise(body));
        expect(encoded.losses, recording.id).to.deep.equal([]);
        checked += 1;
      }
      expect(checked).to.be.greaterThan(60);
    });
  }

  it('decodes every plain response to what its JSON holds', function () {
    const recordings = readRecordings('anthropic-messages');
    if (recordings === undefined) return this.skip();
    for (const { id, response } of recordings) {
      expect(summarise(upstreamSide.decodeResponse(response.body, readContext())), id).to.deep.equal(
        summariseRecorded(response.body),
      );
    }
  });

  it('writes every plain response for a client with the same text, calls and counts', function () {
    const recordings = readRecordings('anthropic-messages');
    if (recordings === undefined) return this.skip();
    for (const { id, response } of recordings) {
      const written = clientSide.encodeResponse(
        upstreamSide.decodeResponse(response.body, readContext()),
        writeContext(),
      ) as JsonObject;
      // Signatures are sealed on the way out.
      const { signatures: sealed, ...said } = summariseRecorded(written);
      const { signatures, ...recorded } = summariseRecorded(response.body);
      expect(said, id).to.deep.equal({
        ...recorded,
        text: textOf((response.body['content'] as readonly JsonObject[]).filter(({ text }) => text !== '')),
      });
      expect(sealed.length, id).to.equal(signatures.length);
    }
  });

  it('decodes every stream to the sum of its events', function () {
    const recordings = readRecordings('anthropic-messages-stream');
    if (recordings === undefined) return this.skip();
    for (const { id, response } of recordings) {
      const folded = foldEvents(readStream(framesOf(response.sse)));
      expect(summarise(folded), id).to.deep.equal(summariseRecorded(playStream(response.sse)));
    }
  });

  it('rewrites every stream so that it adds up to the same message', function () {
    const recordings = readRecordings('anthropic-messages-stream');
    if (recordings === undefined) return this.skip();
    for (const { id, response } of recordings) {
      const { signatures: _sealed, ...said } = summariseRecorded(
        playStream(writeSse(readStream(framesOf(response.sse)))),
      );
      const recorded = playStream(response.sse);
      const { signatures: _signatures, ...expected } = summariseRecorded(recorded);
      expect(said, id).to.deep.equal({
        ...expected,
        text: textOf((recorded['content'] as readonly JsonObject[]).filter(({ text }) => text !== '')),
      });
    }
  });

  it('reads the same usage, finish and model from a stream in the tap and in the decoder', function () {
    const recordings = readRecordings('anthropic-messages-stream');
    if (recordings === undefined) return this.skip();
    for (const { id, response } of recordings) {
      const tap = upstreamSide
        .native?.(
          inbound({}),
          clientSide.decodeRequest(inbound({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }))
            .request,
          {
            provider: 'p',
            model: 'm',
            wire: 'messages',
            traits: {},
            origin: { provider: 'p', family: 'claude' },
            capabilities: {},
          },
        )
        ?.tap();
      for (const frame of framesOf(response.sse)) tap?.inspectFrame(frame);
      const folded = foldEvents(readStream(framesOf(response.sse)));
      expect(tap?.end(), id).to.equal(undefined);
      expect(tap?.observed.usage, id).to.deep.equal(folded.usage);
      expect(tap?.observed.model, id).to.equal(folded.model);
      expect(tap?.observed.finish ?? { reason: 'stop' }, id).to.deep.equal(folded.choices[0]?.finish);
    }
  });
});
