import { EDIT_VARIABLES } from '@repoless/contract/rollout-variables.ts';
import type { EditVariables } from '@repoless/contract/rollout-variables.ts';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** The variables of edits, with what they stand for at one of the sites. */
export function VariablesHelp({ example }: { readonly example: EditVariables }) {
  const { form } = useMessages('rollouts').rollouts;
  return (
    <Fold title={form.variables}>
      <p>{form.variablesText({ site: example.site ?? '' })}</p>
      <dl className="rp-variables">
        {EDIT_VARIABLES.map((name) => (
          <div key={name}>
            <dt>
              <code>{`{${name}}`}</code>
            </dt>
            <dd>{example[name] === undefined ? <span className="rp-quiet">{form.variableNone}</span> : <code>{example[name]}</code>}</dd>
          </div>
        ))}
      </dl>
      <p className="rp-quiet">{form.variablesPlain}</p>
    </Fold>
  );
}
