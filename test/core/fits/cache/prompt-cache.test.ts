import { expect } from 'chai';
import type { CacheMark, Part } from '../../../../core/canonical/part.ts';
import type { GenerateRequest } from '../../../../core/canonical/request.ts';
import type { Tool } from '../../../../core/canonical/tool.ts';
import { collectMarks } from '../../../../core/fits/cache/cache-marks.ts';
import { promptCacheFit } from '../../../../core/fits/cache/prompt-cache.ts';
import {
  assistant,
  call,
  createProfile,
  createRequest,
  namesOf,
  result,
  runFit,
  system,
  text,
  user,
} from '../samples.ts';

type Ttl = CacheMark['ttl'];
const marked = (value: string, ttl: Ttl): Part => ({ ...text(value), cache: { ttl } });
const messages = createProfile({ cacheMarks: ['5m', '1h'] });
const openAi = createProfile({ cacheMarks: ['30m', '12h'] }, { wire: 'chat-completions' });
const placing = (ttl: Ttl, profile = messages) => ({ ...profile, promptCache: ttl });
const tools: readonly Tool[] = [
  { name: 'a', kind: 'function' },
  { name: 'b', kind: 'function' },
];

/** The places of marks: `tool 1`, `0.0` for the first part of the first turn. */
const placesOf = ({ tools: declared, turns }: GenerateRequest): readonly string[] => [
  ...declared.flatMap(({ cache }, index) => (cache === undefined ? [] : [`tool ${index} ${cache.ttl}`])),
  ...turns.flatMap(({ parts }, index) =>
    parts.flatMap(({ cache }, part) => (cache === undefined ? [] : [`${index}.${part} ${cache.ttl}`])),
  ),
];

describe('prompt-cache fit', () => {
  describe('placing', () => {
    const conversation = createRequest({
      tools,
      turns: [
        system('a'),
        system('b'),
        user('one'),
        assistant('x'),
        user('two'),
        assistant(call('c1')),
        user(result('c1')),
        user('three', { type: 'text', text: ' ' }),
      ],
    });

    it('marks the last tool, the end of the system prompt and the last two user turns', () => {
      const { request, losses } = runFit(promptCacheFit, conversation, placing('5m'));
      expect(placesOf(request)).to.deep.equal(['tool 1 5m', '1.0 5m', '4.0 5m', '7.0 5m']);
      expect(losses, 'nothing that the client said has changed').to.deep.equal([]);
    });

    it('uses the nearest lifetime of the target, and marks no tool if tools cannot carry marks', () => {
      expect(
        placesOf(runFit(promptCacheFit, { ...conversation, wire: 'messages' }, placing('1h', openAi)).request),
      ).to.deep.equal(['1.0 12h', '4.0 12h', '7.0 12h']);
      expect(
        placesOf(runFit(promptCacheFit, conversation, placing('1h', createProfile({ cacheMarks: ['5m'] }))).request)[0],
      ).to.equal('tool 1 5m');
    });

    it('never marks empty text, reasoning or a call', () => {
      const turns = [system(''), user(''), assistant({ type: 'reasoning', text: 'hm' }, call('c1'))];
      expect(placesOf(runFit(promptCacheFit, createRequest({ turns }), placing('5m')).request)).to.deep.equal([]);
    });

    it('places marks only if configured, the target supports them, and the wires differ', () => {
      expect(runFit(promptCacheFit, conversation, messages).fitted).to.equal(undefined);
      expect(runFit(promptCacheFit, conversation, placing('5m', createProfile())).fitted).to.equal(undefined);
      expect(runFit(promptCacheFit, { ...conversation, wire: 'messages' }, placing('5m')).fitted).to.equal(undefined);
    });

    it('places no marks if the client has set any', () => {
      const own = { ...conversation, turns: [system('a'), user(marked('one', '5m')), user('two')] };
      expect(runFit(promptCacheFit, own, placing('5m')).fitted).to.equal(undefined);
    });
  });

  describe("the client's own marks", () => {
    const asked = (...ttls: readonly Ttl[]) => createRequest({ turns: ttls.map((ttl) => user(marked('a', ttl))) });
    const lifetimes = (request: GenerateRequest): readonly Ttl[] => collectMarks(request).map(({ ttl }) => ttl);

    it('gives marks of the client the nearest lifetime of the target, and reports it once', () => {
      const { request, losses } = runFit(promptCacheFit, asked('12h', '30m'), messages);
      expect(lifetimes(request)).to.deep.equal(['1h', '5m']);
      expect(namesOf([...new Map(losses.map((loss) => [loss.field, loss])).values()])).to.deep.equal([
        'prompt_cache_breakpoint approximated',
      ]);
      expect(
        lifetimes(runFit(promptCacheFit, { ...asked('1h', '5m'), wire: 'messages' }, openAi).request),
      ).to.deep.equal(['12h', '30m']);
    });

    it('leaves marks of the client unchanged if the target supports them', () => {
      expect(runFit(promptCacheFit, asked('1h', '5m'), messages).fitted).to.equal(undefined);
    });

    it('gives no mark a longer lifetime than one before it, which the target refuses', () => {
      const { request } = runFit(
        promptCacheFit,
        createRequest({
          tools: [{ name: 'a', kind: 'function', cache: { ttl: '5m' } }],
          turns: [user(marked('a', '1h'))],
        }),
        messages,
      );
      expect(lifetimes(request)).to.deep.equal(['5m', '5m']);
    });

    it('keeps only the last four marks of the client', () => {
      const { request, losses } = runFit(promptCacheFit, asked('1h', '1h', '5m', '5m', '5m', '5m'), messages);
      expect(placesOf(request)).to.deep.equal(['2.0 5m', '3.0 5m', '4.0 5m', '5.0 5m']);
      expect(namesOf(losses)).to.deep.equal(['prompt_cache_breakpoint approximated']);
    });

    it('removes and reports marks of the client if the target has none, including those in tool results', () => {
      const inner: Part = { type: 'tool-result', id: 'c1', failed: false, parts: [marked('found', '5m')] };
      const request = {
        ...createRequest({ tools: [{ name: 'a', kind: 'function', cache: { ttl: '5m' } }], turns: [user(inner)] }),
        wire: 'messages',
      };
      const bent = runFit(promptCacheFit, request, createProfile({}, { wire: 'generate-content' }));
      expect(collectMarks(bent.request)).to.deep.equal([]);
      expect(bent.request.turns).to.deep.equal([user(result('c1'))]);
      expect(namesOf(bent.losses)).to.deep.equal(['cache_control dropped']);
    });

    it('leaves marks of the client unchanged between equal wires, whatever the target supports', () => {
      expect(
        runFit(promptCacheFit, asked('5m', '1h', '5m'), createProfile({}, { wire: 'chat-completions' })).fitted,
      ).to.equal(undefined);
    });
  });
});
