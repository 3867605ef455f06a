import { expect } from 'chai';
import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { GatewayError, type Citation } from '../../../../core/api/index.ts';
import { EventWriter, foldEvents, type GenerateEvent, type PartWriter } from '../../../../core/api/codec.ts';
import { checkEventGrammar } from '../../../../core/testing/index.ts';

const call = { id: 'c1', name: 'f', kind: 'function' } as const;
const citation: Citation = { url: 'https://a.example', vendor: { wire: 'w', value: {} } };
const proof = { origin: undefined, value: 'p' };

interface Step {
  readonly what: number;
  readonly choice: number;
  readonly part: number;
  readonly text: string;
}

/** What a writer emits. */
const write = (use: (events: EventWriter) => void): readonly GenerateEvent[] => {
  const emitted: GenerateEvent[] = [];
  use(new EventWriter((event) => void emitted.push(event)));
  return emitted;
};
const typesOf = (events: readonly GenerateEvent[]): readonly string[] => events.map(({ type }) => type);
/** The parts of the first choice, of a response that the writer ends. */
const partsOf = (use: (answer: ReturnType<EventWriter['choice']>) => void) => {
  const emitted = write((events) => {
    use(events.choice(0));
    events.choice(0).finish({ reason: 'stop' });
    events.end();
  });
  expect(checkEventGrammar(emitted)).to.deep.equal([]);
  return foldEvents(emitted).choices[0]?.parts;
};
const text = (value: string) => ({ type: 'text', text: value });
const toolCall = (input: string, more = {}) => ({ type: 'tool-call', ...call, input, ...more });

describe('the writer of events: the response', () => {
  it('starts once, with what is known, and ends once', () => {
    const emitted = write((events) => {
      events.start({ id: 'r', model: '' });
      events.start({ id: 'other' });
      events.choice(0).finish({ reason: 'stop' });
      events.choice(0).finish({ reason: 'length' });
      events.end();
      events.end();
      events.fail(new GatewayError('upstream_error'));
      events.choice(0).text('late');
      events.start();
    });
    expect(emitted).to.deep.equal([
      { type: 'response-start', id: 'r' },
      { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
      { type: 'response-end' },
    ]);
  });

  it('starts with the first event, whatever it is', () => {
    const usage = {
      inputUncached: 1,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 1,
      reasoning: 0,
      source: 'provider',
    } as const;
    expect(typesOf(write((events) => events.usage(usage)))).to.deep.equal(['response-start', 'usage']);
    expect(typesOf(write((events) => events.choice(0).opaque({ type: 'opaque', wire: 'w', value: 1 })))).to.deep.equal([
      'response-start',
      'part-start',
      'part-end',
    ]);
    expect(write((events) => events.usage(undefined))).to.deep.equal([]);
    expect(write((events) => events.start({ id: '', model: 'm' }))).to.deep.equal([
      { type: 'response-start', model: 'm' },
    ]);
  });

  it('an end before every choice has finished is a truncation', () => {
    for (const use of [
      (events: EventWriter) => events.end(),
      (events: EventWriter) => {
        events.choice(0).finish({ reason: 'stop' });
        events.choice(1).text('a');
        events.end();
      },
    ]) {
      const last = write(use).at(-1);
      expect(last?.type === 'error' && last.error.code).to.equal('upstream_truncated');
    }
  });

  it('nothing follows an error', () => {
    const emitted = write((events) => {
      const part = events.choice(0).open('text');
      part.write('a');
      events.fail(new GatewayError('upstream_error'));
      part.write('b');
      part.end();
      events.choice(0).finish({ reason: 'stop' });
      events.end();
      expect(events.ended).to.equal(true);
    });
    expect(typesOf(emitted)).to.deep.equal(['response-start', 'part-start', 'part-delta', 'error']);
  });

  it('numbers the parts of each choice', () => {
    const emitted = write((events) => {
      events.choice(1).text('a');
      events.choice(0).text('b');
      events.choice(1).reasoning('c');
    });
    expect(emitted.flatMap((event) => (event.type === 'part-start' ? [[event.choice, event.part]] : []))).to.deep.equal(
      [
        [1, 0],
        [0, 0],
        [1, 1],
      ],
    );
  });
});

describe('the writer of events: parts', () => {
  it('text of one kind and key is one part; another kind or key ends it', () => {
    const parts = partsOf((answer) => {
      answer.text('a');
      answer.text('b');
      answer.text('');
      answer.reasoning('c', '0');
      answer.reasoning('d', '1');
      answer.refusal('e');
      answer.close();
      answer.refusal('f');
    });
    expect(parts).to.deep.equal([
      text('ab'),
      { type: 'reasoning', text: 'c' },
      { type: 'reasoning', text: 'd' },
      { type: 'refusal', text: 'e' },
      { type: 'refusal', text: 'f' },
    ]);
  });

  it('a call, a medium, a proof or an opaque part ends the text, and calls stay open beside it', () => {
    const media = { mediaType: 'image/png', base64: 'AA==' };
    const opaque = { type: 'opaque', wire: 'w', value: 1 } as const;
    const parts = partsOf((answer) => {
      answer.text('a');
      const first = answer.call(call);
      first.write('{"x"');
      answer.text('b');
      first.write(':1}');
      answer.media(media);
      answer.opaque(opaque);
      answer.redacted(proof);
      expect([answer.count, answer.calls]).to.deep.equal([6, 1]);
    });
    expect(parts).to.deep.equal([
      text('a'),
      toolCall('{"x":1}'),
      text('b'),
      { type: 'media', media },
      opaque,
      { type: 'reasoning', text: '', redacted: true, proof },
    ]);
  });

  it('parts that are opened by number can alternate, and end only once', () => {
    const parts = partsOf((answer) => {
      const [first, second] = [answer.open('text'), answer.open('reasoning')];
      first.write('a');
      second.write('b');
      first.write('c');
      second.end();
      second.end();
      second.write('late');
    });
    expect(parts).to.deep.equal([text('ac'), { type: 'reasoning', text: 'b' }]);
  });

  it('a proof and citations are sent with the end of the part', () => {
    const parts = partsOf((answer) => {
      const part = answer.continue('text');
      part.write('a');
      part.cite([]);
      expect(part.hasCitations).to.equal(false);
      part.cite([citation]);
      part.cite([citation]);
      answer.call(call).proof = proof;
    });
    expect(parts).to.deep.equal([{ ...text('a'), citations: [citation, citation] }, toolCall('{}', { proof })]);
  });

  it('a finished choice takes nothing more', () => {
    const emitted = write((events) => {
      const answer = events.choice(0);
      const part = answer.open('text');
      answer.finish({ reason: 'stop' });
      part.write('a');
      answer.text('a');
      answer.call(call).write('{}');
      answer.media({ mediaType: 'image/png', base64: '' });
      events.end();
    });
    expect(typesOf(emitted)).to.deep.equal(['response-start', 'part-start', 'part-end', 'choice-end', 'response-end']);
  });
});

describe('the writer of events: calls', () => {
  it('the arguments of a function without any are {}, those of a custom tool are empty', () => {
    expect(partsOf((answer) => void answer.call(call))).to.deep.equal([toolCall('{}')]);
    expect(partsOf((answer) => void answer.call({ ...call, kind: 'custom' }))).to.deep.equal([
      toolCall('', { kind: 'custom' }),
    ]);
  });

  it('a call starts when its name is known, with the id that came until then', () => {
    const emitted: GenerateEvent[] = [];
    const events = new EventWriter((event) => void emitted.push(event));
    const open = events.choice(0).call({ id: 'derived', name: '', kind: 'function' });
    open.write('{"x"');
    open.identify('c1', '');
    expect(emitted).to.deep.equal([]);
    open.identify('', 'f');
    open.identify('late', 'late');
    open.write(':1}');
    open.end();
    expect(emitted.slice(1)).to.deep.equal([
      { type: 'part-start', choice: 0, part: 0, kind: 'tool-call', call },
      { type: 'part-delta', choice: 0, part: 0, text: '{"x"' },
      { type: 'part-delta', choice: 0, part: 0, text: ':1}' },
      { type: 'part-end', choice: 0, part: 0 },
    ]);
  });

  it('a call whose name never comes keeps its arguments', () => {
    const emitted = write((events) => {
      const open = events.choice(0).call({ ...call, name: '' });
      open.write('1');
      events.choice(0).finish({ reason: 'tool_calls' });
    });
    expect(foldEvents(emitted).choices[0]?.parts).to.deep.equal([toolCall('1', { name: '' })]);
  });
});

describe('the writer of events: characters', () => {
  const deltasOf = (...pieces: readonly string[]): readonly string[] =>
    write((events) => {
      const part = events.choice(0).open('text');
      for (const piece of pieces) part.write(piece);
      part.end();
    }).flatMap((event) => (event.type === 'part-delta' ? [event.text] : []));

  it('joins a surrogate pair that was cut in two', () => {
    expect(deltasOf('a\ud83d', '\ude00b')).to.deep.equal(['a', '\ud83d\ude00b']);
    expect(deltasOf('\ud83d', '\ude00')).to.deep.equal(['\ud83d\ude00']);
    expect(deltasOf('\ud83d', '\ude00\ud83d', '\ude00')).to.deep.equal(['\ud83d\ude00', '\ud83d\ude00']);
  });

  it('emits a half that is never completed at the end of its part', () => {
    expect(deltasOf('a\ud83d')).to.deep.equal(['a', '\ud83d']);
    expect(deltasOf('\ud83d', 'a')).to.deep.equal(['\ud83da']);
  });
});

describe('the writer of events: any use', () => {
  const piece = constantFrom('', 'a', '\ud83d', '\ude00');
  const step = record({ what: nat(14), choice: nat(1), part: nat(3), text: piece });

  /** One step of a reader that does anything at any time. */
  const take = (events: EventWriter, parts: PartWriter[], { what, choice, part, text: value }: Step): void => {
    const answer = events.choice(choice);
    const known = parts.at(part);
    const steps: readonly (() => unknown)[] = [
      () => answer.text(value),
      () => answer.reasoning(value, value),
      () => answer.refusal(value),
      () => parts.unshift(answer.open('text')),
      () => parts.unshift(answer.call({ ...call, name: value === '' ? '' : 'f' })),
      () => known?.write(value),
      () => known?.identify('c2', 'g'),
      () => known?.cite([citation]),
      () => known?.end(),
      () => answer.close(),
      () => answer.opaque({ type: 'opaque', wire: 'w', value: 1 }),
      () => answer.redacted(proof),
      () => events.start({ id: 'r' }),
      () => answer.finish({ reason: 'stop' }),
      () => (part === 0 ? events.end() : part === 1 ? events.fail(new GatewayError('upstream_error')) : undefined),
    ];
    steps[what]?.();
  };

  it('writes a well-formed stream', () => {
    assert(
      property(array(step, { maxLength: 40 }), (steps) => {
        const emitted = write((events) => {
          const parts: PartWriter[] = [];
          for (const each of steps) take(events, parts, each);
          events.end();
        });
        const problems = checkEventGrammar(emitted).filter((problem) => !problem.endsWith('has no name'));
        expect(problems).to.deep.equal([]);
      }),
    );
  });
});

describe('the writer of events: bounds', () => {
  it('refuses a response with more parts than can be kept', () => {
    expect(() =>
      write((events) => {
        for (let part = 0; part < 20_000; part += 1) events.choice(0).text('a', `${part}`);
      }),
    ).to.throw(GatewayError, 'more text or parts');
  });

  it('refuses arguments without a name that are longer than can be kept', () => {
    const waiting = 'a'.repeat(1_048_576);
    expect(() =>
      write((events) => {
        const open = events.choice(0).call({ ...call, name: '' });
        for (let piece = 0; piece < 20; piece += 1) open.write(waiting);
      }),
    ).to.throw(GatewayError, 'more text or parts');
  });
});
