import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../../core/errors/codes.ts';
import { compileExamples, listExamples, type Example } from './examples.ts';
import { root } from './declarations.ts';
import type { Member } from './read-declaration.ts';
import { readSurface, type Entry } from './surface.ts';

/** The interfaces that authors implement, and those on which their code acts. */
const WITH_EXAMPLES = [
  ['PluginDefinition', 'PluginInstance', 'PrimaryInstance', 'Admission', 'MiddlewareContext', 'Rewrite', 'Guard'],
  ['ProviderDefinition', 'ProviderInstance', 'Codec', 'ClientSide', 'UpstreamSide', 'ModelList', 'NativePlan'],
  ['Endpoint', 'EndpointWire', 'Tap', 'AdminRouter', 'EndpointRouter'],
  ['EventDecoder', 'EventEncoder', 'EventFilter', 'Fit', 'Framing', 'FrameDecoder', 'FrameWriter'],
].flat();

/** Fields whose name says all: a text, a fixed value, the headers or the query of a request, a switch. */
const isPlainField = ({ name, declaration }: Member): boolean =>
  (/^(?:name|kind|apiVersion|operation|wire|method|path|headers|query|ip|requestId)$/.test(name) &&
    !declaration.includes('(')) ||
  declaration.endsWith('?: boolean;');

/** The codes that docs/reference/errors.md lists as those of the gateway alone. */
const readGatewayCodes = (): readonly string[] => {
  const page = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8');
  const [, list = ''] = /\n## What extensions throw\n[^]*?\n\n(- [^]*?)\n\n/.exec(page) ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, code = '']) => code);
};

describe('examples of the public API', function () {
  this.timeout(180_000);
  let surface: readonly Entry[];
  let examples: readonly Example[];
  before(() => {
    surface = readSurface();
    examples = listExamples(surface);
  });

  it('each hook and each member that authors implement has an example', () => {
    const exported = surface.flatMap(({ exports }) => exports);
    const owners = WITH_EXAMPLES.map((name) => exported.find((found) => found.name === name)!);
    const without = owners.flatMap(({ name, members }) =>
      members
        .filter((member) => !isPlainField(member) && member.comment.examples.length === 0)
        .map((member) => `${name}.${member.name} has no @example`),
    );
    expect(without).to.deep.equal([]);
    expect(owners.flatMap(({ members }) => members).length).to.be.greaterThan(70);
    const drafts = exported.filter(({ name }) => /^Draft$|^define[A-Z]/.test(name));
    expect(drafts.filter(({ comment }) => comment.examples.length === 0).map(({ name }) => name)).to.deep.equal([]);
  });

  it('each export has a sentence on what it is', () => {
    const own = surface.flatMap(({ exports }) => exports).filter(({ kind }) => kind !== 're-export');
    const silent = own.filter(({ comment, file }) => comment.text === '' && !file.startsWith('core/testing/'));
    expect(silent.map(({ name, file }) => `${name} in ${file} has no TSDoc`)).to.deep.equal([]);
    expect(own.length).to.be.greaterThan(300);
  });

  it('links in TSDoc lead to exports', () => {
    const exported = surface.flatMap(({ exports }) => exports);
    const names = new Set(exported.map(({ name }) => name));
    const links = exported
      .flatMap(({ comment, members }) => [comment, ...members.map((member) => member.comment)])
      .flatMap(({ text }) => [...text.matchAll(/\{@link (\w+)/g)].map(([, name = '']) => name));
    expect(links.filter((name) => !names.has(name))).to.deep.equal([]);
    expect(links.length).to.be.greaterThan(10);
  });

  it('each example compiles against the public API', () => {
    expect(examples.length).to.be.greaterThan(130);
    expect(compileExamples(examples, surface)).to.deep.equal([]);
  });

  it('a wrong example is reported, with what it shows', () => {
    const wrong: readonly (readonly [string, string, RegExp])[] = [
      ['PluginInstance.identify', 'identify: ({ header }) => undefined', /'header' does not exist/],
      ['PluginInstance.rewrite', "rewrite: () => ({ modell: 'a' })", /modell/],
      ['EventDecoder.push', 'push({ data }, emit) { emit(data); }', /not assignable/],
      ['MiddlewareContext.throw', "context.throw('403');", /not assignable/],
      ['Draft', 'const turns = draft.request.turns;', /'turns' does not exist/],
      ['definePlugin', "export default definePlugin({ kind: 'plugin' });", /missing the following properties/],
    ];
    const replaced = wrong.map(([subject, text]) => ({
      ...examples.find((found) => found.subject === subject)!,
      text,
    }));
    const reported = compileExamples(replaced, surface);
    for (const [subject, , expected] of wrong)
      expect(reported.find((line) => line.startsWith(`${subject}: error TS`))).to.match(expected);
    expect(reported.length).to.equal(wrong.length);
  });

  it('extensions throw the codes that are theirs: one of the gateway does not compile', () => {
    const shown = examples.find(({ subject }) => subject === 'GatewayError')!;
    const reported = compileExamples(
      Object.keys(errorCodes).map((code) => ({ ...shown, subject: code, text: `throw new GatewayError('${code}');` })),
      surface,
    );
    for (const line of reported) expect(line).to.match(/^\w+: error TS2345: Argument of type .* is not assignable/);
    const refused = reported.map((line) => line.replace(/:.*/, ''));
    expect(refused).to.have.members(readGatewayCodes());
  });
});
