import { expect } from 'chai';
import type { Json, Wire } from '../../matrix/wires.ts';
import { answerStrictly, type Say } from '../../support/strict-vendors/answers.ts';
import { callId, type ScriptedCall } from '../../support/strict-vendors/script.ts';
import { idOf, strictSettings, targets, type Target } from '../../support/strict-vendors/targets.ts';
import { findLostProofs } from '../../support/strict-vendors/written.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { startUpstream } from '../../support/upstream.ts';
import type { Agent } from './agent.ts';
import { agents } from './agents.ts';
import { nameCalls, type NamedCall } from './answers.ts';
import { listOf, markOf, readPosition } from './conversation.ts';
import { openCode } from './opencode.ts';
import { answerAt, doneOf, type Tools } from './script.ts';
import { createWorkFolder, listRefused, shippedNames, startAgent, type Place } from './session.ts';
import { answerSchema } from './structured.ts';

/** Vendors whose presets the agents are run at: two whose models think, one that hosts, and one that routes. */
export const presets = ['deepseek', 'moonshot', 'groq', 'openrouter'] as const;

const ofModel = new Set<unknown>(['model_output', 'thought', 'function_call']);
/** What the script reads of a request of interactions, where chat completions has it. */
const asChat = ({ input, tools, response_format: format }: Json): Json => ({
  messages: listOf(input).map((step) => ({
    role: ofModel.has(step['type']) ? 'assistant' : 'user',
    content: step,
  })),
  tools: listOf(tools).map((tool) => ({ type: 'function', function: tool })),
  ...(format === undefined ? {} : { response_format: { json_schema: format } }),
});

const wireAt = (path: string): Wire => {
  if (path.endsWith('/messages')) return 'messages';
  return path.endsWith('/responses') ? 'responses' : 'chat';
};

const scriptedCall = (vendor: string, { id, name, namespace, isCustom, input, arguments: text }: NamedCall) =>
  ({
    // Each has an id of its own, in the form of the vendor.
    id: callId(vendor, name, Number(id.replace('call_', ''))),
    name,
    input,
    ...(namespace && { namespace }),
    ...(isCustom ? { text } : {}),
  }) satisfies ScriptedCall;

/** What the models say to an agent with these tools: the script of the sessions. */
const createSay =
  (tools: Tools, folder: string): Say =>
  (vendor, request, path) => {
    const wire = wireAt(path);
    const body = path.endsWith('/interactions') ? asChat(request) : request;
    const json = answerSchema(wire, body);
    if (json !== undefined) return { text: json, calls: [], step: 1 };
    const position = readPosition(wire, body);
    const { text, calls = [] } = answerAt(position, tools, folder);
    const named = nameCalls(wire, body, calls);
    // A request of the agent's own that quotes a prompt, without tools.
    if (named === undefined) return { text: 'No tools.', calls: [], step: 1 };
    return {
      ...(text === undefined ? {} : { text }),
      calls: named.map((call) => scriptedCall(vendor, call)),
      step: position.step + 1,
    };
  };

const findTarget = (title: string, isIt: (target: Target) => boolean): Target => {
  const target = targets.find(isIt);
  if (target === undefined) throw new Error(`no model of ${title}`);
  return target;
};

/** One agent at one model: a loop of four steps, and a turn after it. */
async function runLoop(agent: Agent, target: Target, place: Omit<Place, 'work'>): Promise<void> {
  const [folder, upstream] = [createWorkFolder(), await startUpstream()];
  const sent: string[] = [];
  const say = createSay(agent.tools, folder.path);
  upstream.answer = (response, call) => void sent.push(answerStrictly(response, call, say));
  const aliases = Object.fromEntries(shippedNames().map((name) => [name, idOf(target)]));
  const settings: Json = { ...strictSettings(upstream.url), aliases };
  try {
    const running = await startAgent(agent, { ...place, work: folder.path }, settings);
    try {
      for (const turn of ['loop', 'plain'])
        expect(await running.session.prompt(`${markOf(turn)} Please.`)).to.include(doneOf(turn));
      expect(listRefused(running.koine)).to.deep.equal([]);
      // The client of OpenCode sends back only what OpenAI has, so thoughts in `reasoning_details` do not return.
      const last = upstream.calls.findLast(({ raw }) => raw.includes(doneOf('loop')));
      if (agent !== openCode) expect(findLostProofs(sent, last?.raw.toString() ?? '')).to.deep.equal([]);
    } finally {
      await running.stop();
    }
  } finally {
    await upstream.stop();
    folder.remove();
  }
}

/** Defines the loops of each agent at each preset, and at a model of Google over interactions. */
export function testPresets(limitMs: number, install: () => string): void {
  describe('loops of agents at presets whose vendors refuse what their pages say (agents)', function () {
    this.timeout(limitMs);
    let path: string;
    let home: ReturnType<typeof createTemporaryFolder>;
    before(() => {
      path = install();
      home = createTemporaryFolder();
    });
    after(() => home?.remove());
    const testLoop = (agent: Agent, title: string, isIt: (target: Target) => boolean): void =>
      void it(`${agent.name} finishes a loop of tools at ${title}`, () =>
        runLoop(agent, findTarget(title, isIt), { home: home.path, path }));
    for (const agent of agents) {
      for (const preset of presets) testLoop(agent, preset, ({ provider }) => provider === preset);
      testLoop(agent, 'Google over interactions', ({ wire }) => wire === 'interactions');
    }
  });
}
