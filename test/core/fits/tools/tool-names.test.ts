import { expect } from 'chai';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import type { Part } from '../../../../core/canonical/part.ts';
import type { Tool } from '../../../../core/canonical/tool.ts';
import { toolNamesFit } from '../../../../core/fits/tools/tool-names.ts';
import { assistant, call, createAnswer, createProfile, createRequest, filterEvents, runFit, user } from '../samples.ts';

const profile = createProfile({ toolName: /^[a-zA-Z0-9_-]{1,64}$/ });
const declare = (...names: readonly string[]): readonly Tool[] => names.map((name) => ({ name, kind: 'function' }));
const namedResult: Part = { type: 'tool-result', id: '1', name: 'files.read:v2', failed: false, parts: [] };

describe('tool-names fit', () => {
  it('renames tools in declarations, choice and history, and restores the names in the response', () => {
    const { request, losses, fitted } = runFit(
      toolNamesFit,
      createRequest({
        tools: declare('files.read:v2', 'other'),
        toolChoice: { mode: 'required', only: ['files.read:v2'] },
        turns: [user('a'), assistant(call('1', 'files.read:v2')), user(namedResult)],
      }),
      profile,
    );
    expect(request.tools.map(({ name }) => name)).to.deep.equal(['files_read_v2', 'other']);
    expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['files_read_v2'] });
    expect(request.turns[1]?.parts[0]).to.include({ name: 'files_read_v2' });
    expect(request.turns[2]?.parts[0]).to.include({ name: 'files_read_v2' });
    expect(losses).to.deep.equal([]);
    const events = createAnswer(
      [
        { name: 'files_read_v2', pieces: ['{}'] },
        { name: 'other', pieces: ['{}'] },
      ],
      'tool_calls',
    );
    const reply = fitted?.reply?.();
    expect(foldEvents(reply === undefined ? [] : filterEvents(reply, events)).choices[0]?.parts).to.deep.equal([
      call('c0', 'files.read:v2'),
      call('c1', 'other'),
    ]);
  });

  it('gives renamed tools names that collide with no existing or new name', () => {
    const { request } = runFit(
      toolNamesFit,
      createRequest({ tools: declare('files.read:v2', 'files_read_v2', 'files/read/v2') }),
      profile,
    );
    const names = request.tools.map(({ name }) => name);
    expect(names[1]).to.equal('files_read_v2');
    expect(new Set(names).size).to.equal(3);
    for (const name of names) expect(name).to.match(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it('renames a tool to the same name in the next request', () => {
    const name = () =>
      runFit(toolNamesFit, createRequest({ tools: declare('a.b', 'a_b') }), profile).request.tools[0]?.name;
    expect(name())
      .to.equal(name())
      .and.to.match(/^(t_a_b|a_b_\w+)$/);
  });

  it('cuts long tool names to the pattern, and adds a first letter if needed', () => {
    const short = createProfile({ toolName: /^[a-zA-Z_][a-zA-Z0-9_]{0,19}$/ });
    const { request } = runFit(
      toolNamesFit,
      createRequest({ tools: declare('1st'), turns: [assistant(call('1', 'n'.repeat(40)))] }),
      short,
    );
    expect(request.tools[0]?.name).to.equal('t_1st');
    expect(request.turns[0]?.parts[0]).to.include({ name: 'n'.repeat(16) });
  });

  it('keeps names of hosted tools, valid names, and names for targets without a pattern', () => {
    const hosted = createRequest({
      tools: [{ name: 'web.search', kind: 'hosted' }],
      toolChoice: { mode: 'required', only: ['web.search'] },
    });
    expect(runFit(toolNamesFit, hosted, profile).fitted).to.equal(undefined);
    expect(runFit(toolNamesFit, createRequest({ tools: declare('legal-name') }), profile).fitted).to.equal(undefined);
    expect(runFit(toolNamesFit, createRequest({ tools: declare('a.b') }), createProfile()).fitted).to.equal(undefined);
  });
});
