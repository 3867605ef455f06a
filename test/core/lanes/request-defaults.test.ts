import { expect } from 'chai';
import { wireNames, wires, type Json, type Wire } from '../../matrix/wires.ts';
import { greet, pathOf } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { entryOf, startScene, type Scene } from '../../support/scene.ts';

/** Without a cap, where the wire allows it. */
const bare: Readonly<Record<Wire, Json>> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 90, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { input: 'Hi' },
  google: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
};
const defaults = { max_tokens: 40, temperature: 0.2, stop: ['END'], body: { vendor_member: 1 } };

/** The model and its wire, and the members that the vendor gets. */
const vendors: Readonly<Record<Wire, { readonly at: string; readonly gets: Json }>> = {
  chat: { at: 'openai/gpt-4.1', gets: { max_completion_tokens: 40, temperature: 0.2, stop: ['END'] } },
  messages: { at: 'anthropic/claude-sonnet-4-5', gets: { max_tokens: 40, temperature: 0.2, stop_sequences: ['END'] } },
  responses: { at: 'openai/gpt-4.1-mini', gets: { max_output_tokens: 40, temperature: 0.2 } },
  google: {
    at: 'google/gemini-2.5-flash',
    gets: { generationConfig: { maxOutputTokens: 40, temperature: 0.2, stopSequences: ['END'] } },
  },
};
const routes: Readonly<Record<Wire, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  google: '/v1beta/models/{model}:generateContent',
};
const idOf = (wire: Wire): string => `own/${wire}`;
const reasons = 'own/reasons';
const reasoning = { effort: 'low' };

describe('defaults of requests', () => {
  let scene: Scene;
  before(async () => {
    const withDefaults = (wire: Wire): object => ({ ...entryOf(vendors[wire].at, wire), defaults });
    scene = await startScene({
      models: {
        ...Object.fromEntries(wires.map((wire) => [idOf(wire), withDefaults(wire)])),
        [reasons]: { ...entryOf('anthropic/claude-sonnet-4-5'), defaults: { reasoning } },
        'own/gpt-5': { ...entryOf('openai/gpt-5', 'chat'), defaults: { temperature: 0.2, reasoning } },
      },
      routes: wires.map((wire) => ({ path: routes[wire], wire: wireNames[wire], losses: 'reject' })),
    });
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const ask = (client: Wire, model: string, body: Json | string): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: pathOf(client, model),
      body: typeof body === 'string' ? body : JSON.stringify(client === 'google' ? body : { model, ...body }),
    });
  const sent = (): Json => scene.upstream.calls.at(-1)?.body ?? {};

  for (const client of wires)
    for (const vendor of wires)
      it(`are set for a ${client} client at a vendor of ${vendor}, and lose nothing`, async () => {
        const { status, text, headers } = await ask(client, idOf(vendor), bare[client]);
        expect(status, text).to.equal(200);
        // The client of this wire always sets its own cap.
        const cap = client === 'messages' ? 90 : 40;
        const expected = JSON.parse(JSON.stringify(vendors[vendor].gets).replace('40', String(cap))) as Json;
        const { stop: _stop, ...members } = expected;
        expect(sent()).to.deep.include({ ...(vendor === 'responses' ? members : expected), vendor_member: 1 });
        expect(headers['x-koine-losses'] ?? '').to.not.match(/temperature|max|stop/i);
      });

  it('leave what a client has set, and its bytes on the native lane', async () => {
    const body =
      '{"model":"own/chat","seed":12345678901234567890, "temperature":1e0,"vendor_member":7,"messages":[{"role":"user","content":"\\u0048i"}],"stop":["S"]}';
    const { headers } = await ask('chat', idOf('chat'), body);
    expect(headers['x-koine-lane']).to.equal('native');
    const text = scene.upstream.calls.at(-1)?.raw.toString() ?? '';
    expect(text).to.include('"seed":12345678901234567890, "temperature":1e0,"vendor_member":7,');
    expect(text).to.include(String.raw`"content":"\u0048i"`);
    expect(sent()).to.include({ temperature: 1, max_completion_tokens: 40 });
    expect(sent()['stop']).to.deep.equal(['S']);
  });

  it('are merged into an object of the client, in either spelling', async () => {
    const own = { generation_config: { topK: 3, temperature: 1 } };
    await ask('google', idOf('google'), { ...bare.google, ...own });
    expect(sent()['generation_config']).to.deep.equal({
      topK: 3,
      temperature: 1,
      maxOutputTokens: 40,
      stopSequences: ['END'],
    });
    expect(sent()).to.not.have.property('generationConfig');
  });

  it('of reasoning are written as the model takes them, on both lanes', async () => {
    const cap = { max_tokens: 8_000 };
    for (const client of ['messages', 'chat'] as const) {
      await ask(client, reasons, { ...bare[client], ...cap });
      expect(sent()['thinking'], client).to.deep.include({ type: 'enabled' });
      await ask(client, reasons, {
        ...bare[client],
        ...cap,
        ...(client === 'chat' ? { reasoning_effort: 'none' } : { thinking: { type: 'disabled' } }),
      });
      expect(sent()['thinking'] ?? { type: 'disabled' }, client).to.deep.equal({ type: 'disabled' });
    }
  });

  it('of reasoning exclude a temperature that is not the default of the vendor, which is a loss', async () => {
    const { status, text } = await ask('messages', reasons, { ...bare.messages, max_tokens: 8_000, temperature: 0.5 });
    expect(status).to.equal(400);
    expect(text).to.include("'temperature' would be dropped");
  });

  it('that the model does not take are left out, without a loss', async () => {
    for (const client of ['chat', 'messages'] as const) {
      const { status, text } = await ask(client, 'own/gpt-5', bare[client]);
      expect(status, text).to.equal(200);
      expect(sent()).to.not.have.property('temperature');
      expect(sent()['reasoning_effort']).to.equal('low');
    }
  });
});
