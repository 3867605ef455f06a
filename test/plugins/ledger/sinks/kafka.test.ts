import { Consumer, MessagesStreamModes, stringDeserializers } from '@platformatic/kafka';
import { expect } from 'chai';
import { createTestServices } from '../../../../core/testing/index.ts';
import type { SinkRow } from '../../../../plugins/ledger/sinks/columns.ts';
import { openKafka } from '../../../../plugins/ledger/sinks/kafka.ts';
import type { KafkaOptions } from '../../../../plugins/ledger/sinks/schema.ts';
import { requireKafka, startKafka, type Kafka } from '../../../support/servers/kafka.ts';
import { bareRow, fullRow, idOf } from './rows.ts';

const TOPIC = 'koine.ledger';
const user = { username: 'koine', password: 'kafka-secret-0123456789' };

describe('the sink of the ledger in Kafka', function () {
  this.timeout(120_000);
  let kafka: Kafka;
  before(async function () {
    requireKafka(this);
    kafka = await startKafka(TOPIC, user);
  });
  after(() => kafka?.stop());
  const use = async (rows?: readonly SinkRow[], more: Partial<KafkaOptions> = {}): Promise<string> => {
    const sasl = { mechanism: 'SCRAM-SHA-512', ...user } as const;
    const pace = { every: '1s', rows: 10, history: false };
    const sink = openKafka({ brokers: kafka.brokers, topic: TOPIC, sasl, ...pace, ...more }, createTestServices());
    return (rows === undefined ? sink.check() : sink.write(rows))
      .then(() => 'done', String)
      .finally(() => sink.close());
  };
  /** The first messages of all partitions: the key, and the row. */
  const read = async (count: number): Promise<readonly (readonly [string, SinkRow])[]> => {
    const consumer = new Consumer({
      clientId: 'test',
      groupId: `test-${Math.random()}`,
      bootstrapBrokers: [...kafka.brokers],
      deserializers: stringDeserializers,
      sasl: { mechanism: 'SCRAM-SHA-512', ...user },
    });
    const found: [string, SinkRow][] = [];
    try {
      const stream = await consumer.consume({ topics: [TOPIC], mode: MessagesStreamModes.EARLIEST, maxWaitTime: 100 });
      for await (const { key, value } of stream) {
        found.push([key ?? '', JSON.parse(value ?? '') as SinkRow]);
        if (found.length === count) break;
      }
    } finally {
      await consumer.close(true);
    }
    return found.toSorted(([one], [other]) => (one < other ? -1 : 1));
  };

  it('has a message for each row, with the id as its key, also of more than one request can have', async () => {
    const large = Array.from({ length: 40 }, (_, index) =>
      fullRow(idOf(`1${index}`), { raw_usage: 'x'.repeat(50_000) }),
    );
    const rows = [...large, bareRow(idOf('2')), fullRow(idOf('3'))];
    expect(await use(rows)).to.equal('done');
    const expected = rows.map((row) => [row.id, row] as const);
    expect(await read(rows.length)).to.deep.equal(expected.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });

  it('is tried by the metadata of its topic, and says what is wrong', async () => {
    expect(await use()).to.equal('done');
    expect(await use(undefined, { topic: 'none' })).to.equal('Error: Unknown topic none.');
    expect(await use([fullRow(idOf('4'))], { topic: 'none' })).to.equal('Error: Unknown topic none.');
    const sasl = { mechanism: 'SCRAM-SHA-512', ...user, password: 'another' } as const;
    expect(await use(undefined, { sasl })).to.match(/^Error: Connection closed/);
    expect(await use(undefined, { brokers: ['127.0.0.1:1'] })).to.equal(
      'Error: Connection to 127.0.0.1:1 failed. connect ECONNREFUSED 127.0.0.1:1',
    );
  });
});
