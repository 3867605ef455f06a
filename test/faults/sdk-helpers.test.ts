import { APIError as MessagesError } from '@anthropic-ai/sdk';
import { ApiError as GoogleError } from '@google/genai';
import { expect } from 'chai';
import { APIError as OpenAiError } from 'openai';
import { createChatClient } from '../matrix/clients/client-chat.ts';
import { createGoogleClient } from '../matrix/clients/client-google.ts';
import { createMessagesClient } from '../matrix/clients/client-messages.ts';
import { createResponsesClient } from '../matrix/clients/client-responses.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { holdInvariants } from './checks/invariants.ts';
import { modelOf } from './models.ts';
import { startFaultScene, type FaultScene } from './scene.ts';
import { firstFrames } from './upstream/answers.ts';
import { opened, reset } from './upstream/steps.ts';

const ask = [{ role: 'user' as const, content: 'Hello' }];
const catchAny = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
const read = async (stream: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of stream);
};

/**
 * The helpers that most programs use instead of the bare stream, and how each SDK reports that the response broke off.
 */
const helpers: Readonly<Record<Wire, (url: string, model: string) => Promise<void>>> = {
  chat: async (url, model) => {
    expect(
      await catchAny(createChatClient(url).chat.completions.stream({ messages: ask, model }).finalChatCompletion()),
    ).to.be.instanceOf(OpenAiError);
  },
  messages: async (url, model) => {
    expect(
      await catchAny(
        createMessagesClient(url).messages.stream({ max_tokens: 100, messages: ask, model }).finalMessage(),
      ),
    ).to.be.instanceOf(MessagesError);
  },
  /** The SDK has no class for this: the response itself fails. */
  responses: async (url, model) => {
    const { status, error } = await createResponsesClient(url)
      .responses.stream({ input: 'Hello', model })
      .finalResponse();
    expect([status, error?.message]).to.deep.equal(['failed', 'The provider closed the connection.']);
  },
  google: async (url, model) => {
    expect(
      await catchAny(
        createGoogleClient(url).chats.create({ model }).sendMessageStream({ message: 'Hello' }).then(read),
      ),
    ).to.be.instanceOf(GoogleError);
  },
};

describe('row 7: a response that is reset after content, in the helper of each SDK', () => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene();
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  for (const client of wires) {
    for (const vendor of wires) {
      it(`a response that is reset after content is an error in the helper of the SDK, ${client}>${vendor}`, async () => {
        scene.upstream.script = () => [...opened(firstFrames(vendor)), reset];
        await helpers[client](scene.url, modelOf(vendor));
        scene.replies.push(new Error('read by the SDK'));
      });
    }
  }
});
