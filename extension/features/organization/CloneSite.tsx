import { Button } from '@adobe/react-spectrum/Button';
import { Form } from '@adobe/react-spectrum/Form';
import { TextField } from '@adobe/react-spectrum/TextField';
import { Mapping } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, hostLabelProblem, SiteName } from '@repoless/contract/names.ts';
import type { CloneTarget } from '@repoless/core/clone/clone-site.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/plan/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { useState } from 'react';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useIsHere } from '../../ui/use-is-here.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';
import { CloneBlocked, CloneLists, CloneReview } from './CloneTexts.tsx';
import { useClone } from './use-clone.ts';

interface Props {
  readonly site: OrganizationSite;
  readonly organization: string;
  readonly service: ServicePort;
  /** Of the author that the site's content comes from. */
  readonly authoring: Pick<AuthoringPort, 'content'>;
  /** `isOpen`: nobody went on to another site meanwhile. */
  readonly onCreated: (siteName: string, isOpen: boolean) => void;
  readonly onCancel: () => void;
}

/** Makes a new site from the stored configuration of another one: asks what must differ, tries it, shows the difference, creates it. */
export function CloneSite({ site, organization, service, authoring, onCreated, onCancel }: Props) {
  const messages = useMessages('sites');
  const { clone: texts, plan } = messages;
  const [input, setInput] = useState({ siteName: '', contentRoot: '' });
  const [isSubmitted, setSubmitted] = useState(false);
  const isHere = useIsHere();
  const { cloning, attempt, create, ask } = useClone(service, authoring, site.name);
  const isEntered = input.siteName !== '' || input.contentRoot !== '';
  useUnsavedEntry(isEntered, 'view', cloning.state === 'creating' ? 'saving' : 'unsaved');
  const heading = useFocusOnArrival<HTMLHeadingElement>(site.name);
  const review = useFocusOnArrival<HTMLHeadingElement>(cloning.state === 'ready' ? cloning.clone : undefined);
  const isBusy = cloning.state === 'trying' || cloning.state === 'creating';
  const target = { organization, siteName: input.siteName, contentRoot: input.contentRoot.replace(/\/+$/, '') };
  const own = cloneFieldProblems(texts, target, site.contentRoot);
  const found = cloning.state === 'blocked' ? cloning.problems : [];
  const problemAt = (field: 'siteName' | 'contentRoot') => {
    const says = found.find((problem) => problem.field === field)?.says;
    const refused =
      says?.kind === 'sentence' ? says.sentence : says === undefined || says.kind === 'failure' ? undefined : texts.problems[says.kind];
    const sentence = (isSubmitted ? own[field] : undefined) ?? refused;
    return sentence === undefined ? {} : { validationState: 'invalid' as const, errorMessage: sentence };
  };
  const change = (changed: Partial<typeof input>): void => {
    setInput({ ...input, ...changed });
    if (!isBusy) ask();
  };
  const submit = (): void => {
    setSubmitted(true);
    if (own.siteName === undefined && own.contentRoot === undefined) void attempt(target);
  };
  return (
    <section className="rp-card" aria-labelledby="rp-clone" aria-busy={isBusy}>
      <h2 id="rp-clone" tabIndex={-1} ref={heading}>
        {texts.title({ site: site.name })}
      </h2>
      <p>{texts.text}</p>
      <CloneLists />
      <Form
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={texts.siteName}
          value={input.siteName}
          onChange={(siteName) => change({ siteName: siteName.trim() })}
          isReadOnly={isBusy}
          width="100%"
          autoComplete="off"
          {...problemAt('siteName')}
        />
        <TextField
          label={texts.contentRoot}
          description={texts.contentRootHelp}
          value={input.contentRoot}
          onChange={(contentRoot) => change({ contentRoot: contentRoot.trim() })}
          isReadOnly={isBusy}
          width="100%"
          autoComplete="off"
          {...problemAt('contentRoot')}
        />
        <div className="rp-actions">
          <Button variant={cloning.state === 'ready' ? 'secondary' : 'accent'} type="submit" isDisabled={isBusy}>
            {texts.review}
          </Button>
          <Button variant="secondary" onPress={onCancel} isDisabled={cloning.state === 'creating'}>
            {texts.cancel}
          </Button>
        </div>
      </Form>
      <p role="status" className="rp-quiet">
        {cloning.state === 'trying' ? texts.trying : cloning.state === 'creating' ? texts.creating({ site: target.siteName }) : ''}
      </p>
      {cloning.state === 'blocked' && <CloneBlocked problems={found} after={cloning.after} />}
      {(cloning.state === 'ready' || cloning.state === 'creating') && (
        <>
          <CloneReview source={site.name} clone={cloning.clone} heading={review} />
          {cloning.clone.untried !== undefined && <p className="rp-quiet">{plan.untried}</p>}
          <div className="rp-actions">
            <Button
              variant="accent"
              isDisabled={isBusy}
              onPress={() => void create(cloning.clone, target).then((isCreated) => isCreated && onCreated(target.siteName, isHere()))}
            >
              {texts.create({ site: target.siteName })}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** What is wrong with the name and the content root of a clone, before the service is asked. In: the source's content root. */
function cloneFieldProblems(
  messages: MessagesOf<'sites'>['clone'],
  { organization, siteName, contentRoot }: CloneTarget,
  sourceRoot: string | undefined,
): { readonly siteName?: string | undefined; readonly contentRoot?: string | undefined } {
  const root = Mapping.safeParse(`${contentRoot}/:/`).error?.issues[0]?.message;
  return {
    siteName: SiteName.safeParse(siteName).error?.issues[0]?.message ?? hostLabelProblem(DEFAULT_REF, siteName, organization),
    contentRoot:
      root ?? (contentRoot === '' ? messages.problems['page-missing'] : contentRoot === sourceRoot ? messages.sameRoot : undefined),
  };
}
