import type { UsageUnit } from '../usage.ts';
import type { Operation } from '../wire.ts';

/** How the gateway treats an operation. Whatever core and plugins do differently for one is a member of its row. */
export interface OperationRule {
  /** What a model that serves it does, for messages: `embeds`. */
  readonly verb: string;
  /** `gen_ai.operation.name` of traces and metrics. Absent: as the wire names it. */
  readonly telemetryName?: string;
  /** Vendors do not charge for it, so it needs no price, and only limits per request count it. */
  readonly isFree?: true;
  /** Its responses have no output tokens, so limits of output tokens do not count it. */
  readonly hasNoOutput?: true;
  /** The units that limits count and that its calls can use. Absent: none. Limits of another unit do not count it. */
  readonly units?: readonly UsageUnit[];
  /** Equal requests have equal responses, so a cache can answer any of them. */
  readonly isRepeatable?: true;
  /**
   * What a target that does not serve it gets instead: the gateway's own estimate, or a request to generate. Such an
   * operation is a side path of a wire, and no model is offered for it alone. Absent: the target is refused.
   */
  readonly substitute?: 'estimate' | 'generate';
}

/** Every operation of the gateway, in the order in which they are listed. */
export const operations: Readonly<Record<Operation, OperationRule>> = {
  // A hosted tool can generate images.
  'generate': { verb: 'generates', units: ['images'] },
  'embed': { verb: 'embeds', telemetryName: 'embeddings', hasNoOutput: true, isRepeatable: true },
  'moderate': { verb: 'moderates', telemetryName: 'moderation', hasNoOutput: true, isRepeatable: true },
  'rerank': { verb: 'reranks', telemetryName: 'rerank', hasNoOutput: true, isRepeatable: true },
  'transcribe': { verb: 'transcribes', telemetryName: 'transcription', units: ['seconds'] },
  'translate': { verb: 'translates speech', telemetryName: 'translation', units: ['seconds'] },
  'speak': { verb: 'speaks', telemetryName: 'speech', units: ['characters'] },
  'image': { verb: 'generates images', telemetryName: 'image_generation', units: ['images'] },
  'count-tokens': {
    verb: 'counts tokens',
    telemetryName: 'count_tokens',
    isFree: true,
    hasNoOutput: true,
    substitute: 'estimate',
  },
  'compact': { verb: 'compacts', telemetryName: 'compact', substitute: 'generate' },
};

/** Whether targets with these operations serve another one, themselves or by its substitute. */
export const isServed = (operation: Operation, served: ReadonlySet<Operation>): boolean =>
  served.has(operation) || (operations[operation].substitute !== undefined && served.has('generate'));

/** Whether a text names an operation. */
export const isOperation = (name: string): name is Operation => Object.hasOwn(operations, name);

/** The names of all operations. */
export const operationNames: readonly Operation[] = Object.keys(operations).filter(isOperation);
