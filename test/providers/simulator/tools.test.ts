import { expect } from 'chai';
import type { GenerateRequest, Tool, Turn } from '../../../core/api/index.ts';
import { request } from './canonical-wire.ts';
import { call, callStream, createSimulator, deltasOf, textOf } from './simulate.ts';

const weather: Tool = {
  name: 'get_weather',
  kind: 'function',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
};
const time: Tool = { name: 'get_time', kind: 'function' };
const shell: Tool = { name: 'shell', kind: 'custom' };
const search: Tool = { name: 'search', kind: 'hosted', vendor: { type: 'web_search' } };
const tools = [weather, time, shell, search];

const called = async (members: Partial<GenerateRequest> & { readonly text?: string }) => {
  const { choices } = await call(await createSimulator(), request({ tools, ...members }));
  return {
    names: (choices[0]?.parts ?? []).flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])),
    finish: choices[0]?.finish.reason,
  };
};
const results = (...parts: Turn['parts'][]): readonly Turn[] => [
  { role: 'user', parts: [{ type: 'text', text: 'call all tools' }] },
  {
    role: 'assistant',
    parts: [
      { type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function', input: '{"city":"Paris"}' },
      { type: 'tool-call', id: 'call_2', name: 'get_time', kind: 'function', input: '{}' },
    ],
  },
  ...parts.map((of): Turn => ({ role: 'user', parts: of })),
];
const weatherResult = {
  type: 'tool-result',
  id: 'call_1',
  failed: false,
  parts: [{ type: 'text', text: '18C' }],
} as const;
const timeResult = {
  type: 'tool-result',
  id: 'call_2',
  failed: true,
  parts: [{ type: 'text', text: 'no clock' }],
} as const;

describe('simulator: tools', () => {
  it('calls the tools that the text names as whole words', async () => {
    expect(await called({ text: 'Please use get_weather now.' })).to.deep.equal({
      names: ['get_weather'],
      finish: 'tool_calls',
    });
    expect(await called({ text: 'First get_time, then get_weather' })).to.deep.equal({
      names: ['get_weather', 'get_time'],
      finish: 'tool_calls',
    });
    expect((await called({ text: "What's the weather?" })).names).to.deep.equal(['get_weather']);
    expect(await called({ text: 'get_weathers forget_time' })).to.deep.equal({ names: [], finish: 'stop' });
  });

  it('calls all tools at once on request, but no hosted tools', async () => {
    expect((await called({ text: 'Now call all tools!' })).names).to.deep.equal(['get_weather', 'get_time', 'shell']);
    expect((await called({ text: 'search' })).names).to.deep.equal([]);
  });

  it('the simulator follows the tool choice', async () => {
    expect((await called({ toolChoice: { mode: 'required' } })).names).to.deep.equal(['get_weather']);
    expect((await called({ toolChoice: { mode: 'required', only: ['get_time'] } })).names).to.deep.equal(['get_time']);
    expect(
      (await called({ text: 'call all tools', toolChoice: { mode: 'auto', only: ['get_time'] } })).names,
    ).to.deep.equal(['get_time']);
    expect((await called({ text: 'call all tools', toolChoice: { mode: 'none' } })).names).to.deep.equal([]);
  });

  it('calls one tool when parallel calls are off', async () => {
    expect((await called({ text: 'call all tools', parallelTools: false })).names).to.deep.equal(['get_weather']);
  });

  it('makes arguments from the schema, and unique ids', async () => {
    const { choices } = await call(await createSimulator(), request({ tools, text: 'call all tools', choices: 2 }));
    const calls = choices.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part] : [])));
    expect(calls.slice(0, 3).map(({ kind, input }) => [kind, input])).to.deep.equal([
      ['function', '{"city":"sample"}'],
      ['function', '{}'],
      ['custom', 'sample'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).to.equal(6);
    expect(calls.every(({ id }) => /^call_[0-9a-f]+$/.test(id))).to.equal(true);
  });

  it('streams arguments in pieces', async () => {
    const events = await callStream(await createSimulator(), request({ tools, text: 'get_weather' }));
    expect(deltasOf(events)).to.deep.equal(['{"city":"sam', 'ple"}']);
  });

  it('quotes the tool results, however the wire grouped them', async () => {
    const together = await call(
      await createSimulator(),
      request({ tools, turns: results([weatherResult, timeResult]) }),
    );
    const apart = await call(
      await createSimulator(),
      request({ tools, turns: results([weatherResult], [timeResult]) }),
    );
    expect(textOf(together)).to.match(/^The tools are back\. get_weather answered: 18C; get_time failed: no clock\. /);
    expect(textOf(apart).slice(0, 70)).to.equal(textOf(together).slice(0, 70));
  });

  it('responds with text after results even when a call is required', async () => {
    expect((await called({ turns: results([weatherResult]), toolChoice: { mode: 'required' } })).finish).to.equal(
      'stop',
    );
  });

  it('the simulator responds to the next question after tool results', async () => {
    const turns = [
      ...results([weatherResult, timeResult]),
      { role: 'user', parts: [{ type: 'text', text: 'Thanks' }] } as const,
    ];
    expect(textOf(await call(await createSimulator(), request({ tools, turns })))).to.match(/^You said: Thanks\./);
  });
});
