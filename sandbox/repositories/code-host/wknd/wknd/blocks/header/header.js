export default function decorate(block) {
  const navigation = block.querySelector('nav');
  if (!navigation) return;
  navigation.setAttribute('aria-label', 'Main');
  navigation.querySelectorAll('a').forEach((link) => {
    if (link.pathname === window.location.pathname) link.setAttribute('aria-current', 'page');
  });
}
