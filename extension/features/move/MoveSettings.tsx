import { Button } from '@adobe/react-spectrum/Button';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { TextField } from '@adobe/react-spectrum/TextField';
import { PathPrefix } from '@repoless/contract/mappings.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { useState } from 'react';
import { Fold } from '../../ui/Fold.tsx';
import { SubmitForm } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../leaving/use-guarded.ts';
import type { MoveTarget } from './stored-moves.ts';

interface Props {
  readonly target: MoveTarget;
  readonly asksAccount: boolean;
  readonly onPlan: (target: MoveTarget) => void;
}

/** What a plan cannot read by itself: different paths, an account that is not shown anywhere, and whether the old one stays. */
export function MoveSettings({ target, asksAccount, onPlan }: Props) {
  const { move } = useMessages('sites');
  const [first] = target.paths;
  const settled = { from: first?.from ?? '', to: first?.to ?? '', account: target.account ?? '', keep: target.keepsAccount };
  const [input, setInput] = useState(settled);
  const [isSubmitted, setSubmitted] = useState(false);
  useUnsavedEntry(!sameValue(input, settled), 'view');
  const [from, to] = [input.from, input.to].map((path) => path.trim().replace(/\/+$/, ''));
  const isNone = from === '' && to === '';
  const isWrong = !isNone && [from, to].some((path) => !isContentPath(path));
  const plan = (): void => {
    setSubmitted(true);
    if (isWrong || from === undefined || to === undefined) return;
    const { account: _before, ...rest } = target;
    const account = input.account.trim();
    const paths = isNone ? [] : [{ from, to }];
    onPlan({ ...rest, paths, keepsAccount: input.keep, ...(account === '' ? {} : { account }) });
  };
  const invalid = isSubmitted && isWrong ? { validationState: 'invalid' as const, errorMessage: move.pathProblem } : {};
  return (
    <Fold title={move.where} open={asksAccount}>
      <SubmitForm validationBehavior="aria" onSubmit={plan}>
        <TextField
          label={move.pathFrom}
          description={move.pathHelp}
          value={input.from}
          onChange={(value) => setInput({ ...input, from: value })}
          width="100%"
          {...invalid}
        />
        <TextField label={move.pathTo} value={input.to} onChange={(value) => setInput({ ...input, to: value })} width="100%" {...invalid} />
        {asksAccount && (
          <TextField
            label={move.account}
            description={move.accountHelp}
            value={input.account}
            onChange={(account) => setInput({ ...input, account })}
            width="100%"
          />
        )}
        <Checkbox isSelected={input.keep} onChange={(keep) => setInput({ ...input, keep })}>
          {move.keep}
        </Checkbox>
        <div className="rp-actions">
          <Button variant="secondary" type="submit">
            {move.again}
          </Button>
        </div>
      </SubmitForm>
    </Fold>
  );
}

function isContentPath(path: string | undefined): boolean {
  return path !== undefined && path.startsWith('/content/') && PathPrefix.safeParse(path).success;
}
