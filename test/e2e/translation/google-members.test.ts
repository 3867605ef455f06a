import { expect } from 'chai';
import { framesOf, textOf, type VendorAnswers } from '../../matrix/vendors/vendors.ts';
import { goodDay, hello } from '../../matrix/sample-bodies.ts';
import { modes, wires, type Json, type Mode, type Wire } from '../../matrix/wires.ts';
import { sendGoogle } from '../../matrix/clients/client-google.ts';
import { send } from '../../support/http.ts';
import { GOOGLE, modelIds, startScene, type Scene } from '../../support/scene.ts';

const others = wires.filter((wire) => wire !== 'google');
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const user = { role: 'user', parts: [{ text: 'Hi' }] };
const declared = { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }] };
const searched = {
  role: 'model',
  parts: [
    { toolCall: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['a'] } }, thoughtSignature: 'U0lH' },
    { toolResponse: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
    { text: 'Found.', partMetadata: { source: 'a' } },
  ],
};

/** Newer members of Google's wire, on the way to and from vendors of the other wires. */
describe('members of generate-content', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  /** Runs one exchange and returns its losses, which for streams are known only at the end. */
  const exchange = async (path: string, body: Json): Promise<readonly string[]> => {
    const before = scene.gateway.exchanges().length;
    const reply = await send(scene.gateway.url, { path, body: JSON.stringify(body) });
    expect(reply.status, reply.text).to.equal(200);
    await scene.gateway.settled(before + 1);
    const [attempt] = (scene.gateway.exchanges().at(-1)?.['attempts'] ?? []) as readonly Json[];
    return (attempt?.['losses'] ?? []) as readonly string[];
  };

  /** A client of Google's wire asks a vendor of another. */
  const askFrom = async (
    target: Wire,
    body: Json,
  ): Promise<{ readonly sent: string; readonly losses: readonly string[] }> => {
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf(target, 'plain', goodDay));
    const losses = await exchange(`/v1beta/models/${modelIds[target]}:generateContent`, {
      contents: [user],
      ...body,
      generationConfig: { maxOutputTokens: 4_000, ...(body['generationConfig'] as Json | undefined) },
    });
    return { sent: scene.upstream.calls.at(-1)?.raw.toString() ?? '', losses };
  };

  /** A client of another wire gets a response of Google's. */
  const answerTo = async (client: Wire, mode: Mode, google: VendorAnswers['google']): Promise<readonly string[]> => {
    const frames = framesOf('google', { ...goodDay, google });
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': mode === 'plain' ? 'application/json' : 'text/event-stream' })
        .end(mode === 'plain' ? textOf('google', 'plain', { ...goodDay, google }) : frames.join(''));
    const paths: Readonly<Record<Wire, string>> = {
      chat: '/v1/chat/completions',
      messages: '/v1/messages',
      responses: '/v1/responses',
      google: '',
    };
    return exchange(paths[client], { ...hello[client], model: GOOGLE, stream: mode === 'streamed' });
  };

  for (const target of others) {
    for (const mimeType of ['application/json', 'APPLICATION_JSON', undefined])
      it(`\`responseFormat\` with a schema of ${mimeType ?? 'no type'} is structured output at ${target}`, async () => {
        const { sent, losses } = await askFrom(target, {
          generationConfig: { responseFormat: [{ text: { mimeType, schema } }] },
        });
        const older = await askFrom(target, {
          generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
        });
        expect(JSON.parse(sent)).to.deep.equal(JSON.parse(older.sent));
        expect(sent).to.include('"city"');
        expect(losses).to.deep.equal(older.losses.map((loss) => loss.replace('responseMimeType', 'responseFormat')));
      });

    it(`\`responseFormat\` of other media is named as lost at ${target}`, async () => {
      const { sent, losses } = await askFrom(target, {
        generationConfig: {
          response_format: [{ text: { mime_type: 'text/plain' } }, { image: { aspectRatio: '1:1' } }],
        },
      });
      expect(losses).to.include('generationConfig.response_format;dropped');
      expect(sent).to.not.include('1:1');
    });

    it(`tools that ran at Google, metadata of parts and the SDK's own members are named as lost at ${target}`, async () => {
      const { sent, losses } = await askFrom(target, {
        contents: [user, searched, user],
        automaticContinuation: true,
      });
      expect(losses).to.include.members(['contents[1].parts[2].partMetadata;dropped', 'automaticContinuation;dropped']);
      expect(losses.join()).to.match(/contents\[1\]\.(?:parts\[0\]|content);dropped/);
      expect(sent).to.include('Found.').and.not.include('GOOGLE_SEARCH_WEB');
    });

    it(`a turn of nothing but tools that ran at Google leaves a conversation that ${target} accepts`, async () => {
      const { sent } = await askFrom(target, {
        contents: [user, { ...searched, parts: searched.parts.slice(0, 2) }, user],
      });
      expect(JSON.parse(sent)).to.not.have.nested.property('messages[1].content', '');
      expect(sent).to.not.include('"content":[]');
    });

    it(`metadata of media in a result is named as lost at ${target}`, async () => {
      const call = { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: {} } }] };
      const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' }, mediaProcessing: 'STATIC' };
      const result = { id: 'c1', name: 'f', response: { output: 'x' }, parts: [image] };
      const { losses } = await askFrom(target, {
        ...declared,
        contents: [user, call, { role: 'user', parts: [{ functionResponse: result }] }],
      });
      expect(losses.join()).to.include('functionResponse.parts[0].mediaProcessing;dropped');
    });

    it(`enums as numbers never reach ${target}`, async () => {
      const { sent, losses } = await askFrom(target, {
        safetySettings: [{ category: 7, threshold: 4 }],
        tools: [
          {
            functionDeclarations: [
              { name: 'f', behavior: 1, parameters: { type: 6, properties: { city: { type: 1 } } } },
              { name: 'g', parametersJsonSchema: { type: 'object', properties: { city: { type: 1 } } } },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: 5 } },
        serviceTier: 2,
        generationConfig: {
          responseModalities: [1],
          mediaResolution: 1,
          thinkingConfig: { thinkingLevel: 3 },
          responseFormat: [{ text: { schema: { type: 6, properties: { city: { type: 1 } } } } }],
        },
      });
      expect(sent).to.not.match(/"(?:type|category|threshold|behavior|mode|service_?tier|effort)":\s*\d/i);
      expect(sent.match(/"city":\s*\{\s*"type":\s*"string"/g)).to.have.length(3);
      expect(losses).to.include.members([
        'safetySettings;dropped',
        'serviceTier;dropped',
        'generationConfig.responseModalities;dropped',
        'generationConfig.mediaResolution;dropped',
        'generationConfig.thinkingConfig.thinkingLevel;dropped',
      ]);
      expect(losses.join()).to.include('behavior;dropped');
    });
  }

  it('enums as numbers reach Google as they are', async () => {
    const body = {
      serviceTier: 2,
      toolConfig: { functionCallingConfig: { mode: 1 } },
      generationConfig: { maxOutputTokens: 4_000, thinkingConfig: { thinkingLevel: 3 } },
    };
    const { sent } = await askFrom('google', body);
    expect(JSON.parse(sent)).to.deep.equal({ contents: [user], ...body });
  });

  const unfinished = { parts: [{ text: 'Good ' }], finish: 'CONTINUATION', candidate: { continuationToken: 't1' } };

  for (const mode of modes)
    it(`the SDK continues a response of Google by its token, ${mode}`, async () => {
      const { length } = scene.upstream.calls;
      scene.upstream.answer = (response, { body }) => {
        const google = body['continuationToken'] === 't1' ? { parts: [{ text: 'day.' }], finish: 'STOP' } : unfinished;
        response
          .writeHead(200, { 'content-type': mode === 'plain' ? 'application/json' : 'text/event-stream' })
          .end(textOf('google', mode, { ...goodDay, google }));
      };
      const body = { contents: [user], model: GOOGLE };
      expect(await sendGoogle(scene.gateway.url, body, mode)).to.include({ text: 'Good day.', finish: 'STOP' });
      expect(scene.upstream.calls).to.have.length(length + 2);
    });

  for (const target of others)
    it(`a token to continue a response is refused by its name at ${target}`, async () => {
      const { length } = scene.upstream.calls;
      const reply = await send(scene.gateway.url, {
        path: `/v1beta/models/${modelIds[target]}:generateContent`,
        body: JSON.stringify({ contents: [user], continuationToken: 't1' }),
      });
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include("'continuationToken'");
      expect(scene.upstream.calls).to.have.length(length);
    });

  for (const client of others) {
    for (const mode of modes)
      it(`the token to continue a response is named as lost for a client of ${client}, ${mode}`, async () => {
        expect((await answerTo(client, mode, unfinished)).join()).to.include('continuationToken;dropped');
      });

    const lostBy = async (google: VendorAnswers['google']): Promise<readonly (readonly string[])[]> => {
      const found: (readonly string[])[] = [];
      for (const mode of modes) found.push(await answerTo(client, mode, google));
      return found;
    };

    it(`the feedback on a blocked prompt is named as lost, plain and streamed, for a client of ${client}`, async () => {
      const found = await lostBy({ parts: [], promptFeedback: { blockReason: 'SAFETY' } });
      for (const losses of found) expect(losses).to.include('promptFeedback;dropped');
    });

    it(`members of parts are named as lost, plain and streamed, for a client of ${client}`, async () => {
      const found = await lostBy({
        parts: [
          { text: 'Good day.', partMetadata: { a: 1 } },
          { functionCall: { id: 'c1', name: 'f', args: {}, kind: 'x' } },
        ],
        finish: 'STOP',
      });
      for (const losses of found)
        expect(losses).to.include.members([
          'candidates[0].content.partMetadata;dropped',
          'candidates[0].content.functionCall.kind;dropped',
        ]);
    });
  }
});
