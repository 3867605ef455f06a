import type { ConfigPath } from '../../core/api/internal.ts';

/** A target that calls a provider. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly at: ConfigPath;
  /** The provider in our file. */
  readonly provider: string;
  readonly use: string;
  /** The model at the provider; absent: that of the request. */
  readonly model?: string;
  /** Seconds. */
  readonly timeout?: number;
}

/** A target with a strategy and targets of its own. */
export interface Branch {
  readonly kind: 'fallback' | 'loadbalance';
  readonly children: readonly { readonly node: Node; readonly weight: number }[];
}

/** A target that selects one of its own by the name of the model. */
export interface Selection {
  readonly kind: 'conditional';
  readonly choices: readonly { readonly name: string; readonly node: Node }[];
  readonly otherwise?: Node;
}

export type Node = Leaf | Branch | Selection;

/** A leaf whose model is known. */
export type Target = Leaf & { readonly model: string };

export interface Plan {
  /** One of these is tried first, by weight. */
  readonly first: readonly { readonly target: Leaf; readonly weight: number }[];
  /** Then these, in order. */
  readonly rest: readonly Leaf[];
}

const flatten = ({ first, rest }: Plan): readonly Leaf[] => [...first.map(({ target }) => target), ...rest];

const round = (weight: number): number => Number(weight.toFixed(6));

const balance = (children: readonly { readonly plan: Plan; readonly weight: number }[]): Plan => ({
  first: children.flatMap(({ plan, weight }) => {
    const total = plan.first.reduce((sum, one) => sum + one.weight, 0);
    return plan.first.map((one) => ({ target: one.target, weight: round((weight * one.weight) / (total || 1)) }));
  }),
  rest: children.flatMap(({ plan }) => plan.rest),
});

/** What a request for this model would be sent to. @param name absent: a model that no condition names */
export function planFor(node: Node | undefined, name: string | undefined): Plan {
  if (node === undefined) return { first: [], rest: [] };
  if (node.kind === 'leaf') return { first: [{ target: node, weight: 1 }], rest: [] };
  if (node.kind === 'conditional')
    return planFor(node.choices.find((choice) => choice.name === name)?.node ?? node.otherwise, name);
  const plans = node.children.map((child) => ({ plan: planFor(child.node, name), weight: child.weight }));
  if (node.kind === 'loadbalance') return balance(plans);
  const [head, ...others] = plans.map(({ plan }) => plan).filter((plan) => plan.first.length > 0);
  return head === undefined
    ? { first: [], rest: [] }
    : { first: head.first, rest: [...head.rest, ...others.flatMap(flatten)] };
}

/** The names that conditions select by. */
export const namesIn = (node: Node | undefined): readonly string[] =>
  node === undefined || node.kind === 'leaf'
    ? []
    : node.kind === 'conditional'
      ? [...node.choices.flatMap((choice) => [choice.name, ...namesIn(choice.node)]), ...namesIn(node.otherwise)]
      : node.children.flatMap((child) => namesIn(child.node));
