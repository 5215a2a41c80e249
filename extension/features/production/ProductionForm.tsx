import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import { SiteName } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type Environment, readEnvironment } from '@repoless/core/sites/environments.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { readPageAddress } from './StartForm.tsx';
import { Card } from '../../ui/Card.tsx';
import { Explanation, Loading } from '../../ui/Notice.tsx';
import { invalid, SubmitForm, TextInput } from '../../ui/forms.tsx';
import type { OpenedEnvironment } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

interface Props {
  readonly here: OpenedEnvironment;
  readonly info: ServiceInfo;
  readonly portsOf: (author: string) => SetupPorts;
  /** Authors of the organization's sites, offered as options. */
  readonly authors: readonly string[];
  /** Messages for uses other than creating sites there; without that, no suffix is requested. */
  readonly messages?: { readonly title: string; readonly text: string; readonly page: string; readonly read: string };
  readonly onEnvironment: (environment: OpenedEnvironment) => void;
  readonly onCancel: () => void;
}

/** Chooses another authoring environment; its technical account is read there, and its tree is opened. */
export function ProductionForm({ here, info, portsOf, authors, messages: own, onEnvironment, onCancel }: Props) {
  const messages = useMessages('sites');
  const { production } = messages;
  const texts = own ?? production;
  const others = authors.filter((author) => author !== here.author);
  // If there is only one other, it is preselected.
  const first = others.length === 1 ? (others[0] ?? '') : '';
  const [input, setInput] = useState({ author: first, page: here.page, suffix: 'prod' });
  const [isSubmitted, setSubmitted] = useState(false);
  useUnsavedEntry(input.author.trim() !== first, 'view');
  const [answer, setAnswer] = useState<Known<Environment> | 'reading'>();
  const { author: typed, path: typedPath } = readPageAddress(input.author, input.page);
  const problems = {
    author: typed === undefined ? production.authorProblem : typed === here.author ? production.same : undefined,
    page: typedPath === undefined ? production.pageProblem : undefined,
    suffix: input.suffix !== '' && !SiteName.safeParse(input.suffix).success ? production.suffixProblem : undefined,
  };
  const shown = isSubmitted ? problems : { author: undefined, page: undefined, suffix: undefined };
  const authorField = { label: production.author, description: production.authorHelp };
  const open = async (): Promise<void> => {
    setSubmitted(true);
    const [author, page] = [typed, typedPath];
    if (Object.values(problems).some((problem) => problem !== undefined) || author === undefined || page === undefined) return;
    setAnswer('reading');
    const ports = portsOf(author);
    const environment = await readEnvironment(ports.authoring, page, info);
    setAnswer(environment);
    if (environment.state !== 'known') return;
    const technicalAccount = environment.value.technicalAccount ?? '';
    const environments = [...here.environments, { ...environment.value, author }];
    onEnvironment({ author, ports, page, technicalAccount, environments, ...(input.suffix === '' ? {} : { suffix: input.suffix }) });
  };
  return (
    <Card id="rp-production" title={texts.title} focusOn={'form'}>
      <p>{texts.text}</p>
      <SubmitForm isReadOnly={answer === 'reading'} validationBehavior="aria" onSubmit={open}>
        {others.length === 0 ? (
          <TextInput {...authorField} value={input.author} onChange={(author) => setInput({ ...input, author })} problem={shown.author} />
        ) : (
          <ComboBox
            {...authorField}
            {...invalid(shown.author)}
            width="100%"
            allowsCustomValue
            // A list that opens while typing would capture the first Enter, which is meant for the form.
            menuTrigger="manual"
            inputValue={input.author}
            onInputChange={(author) => setInput({ ...input, author })}
            defaultItems={others.map((author) => ({ author }))}
          >
            {(item) => <Item key={item.author}>{item.author}</Item>}
          </ComboBox>
        )}
        <TextInput
          label={texts.page}
          description={production.pageHelp}
          value={input.page}
          onChange={(page) => setInput({ ...input, page })}
          problem={shown.page}
        />
        {own === undefined && (
          <TextInput
            label={production.suffix}
            description={production.suffixHelp}
            value={input.suffix}
            onChange={(suffix) => setInput({ ...input, suffix: suffix.trim() })}
            problem={shown.suffix}
          />
        )}
        <div className="rp-actions">
          <TextButton variant="accent" type="submit" isDisabled={answer === 'reading'} text={texts.read} />
          <TextButton onPress={onCancel} text={production.cancel} />
        </div>
      </SubmitForm>
      {answer === 'reading' && <Loading text={production.reading} />}
      {answer !== undefined && answer !== 'reading' && answer.state !== 'known' && (
        <Explanation
          title={production.failed}
          explained={
            answer.state === 'failed'
              ? explainFailure(messages, answer.failure)
              : fill(production.missing, { page: input.page, author: input.author })
          }
        />
      )}
    </Card>
  );
}
