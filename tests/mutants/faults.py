"""Faults of one token in one line of a C++ source: what a tired programmer types."""

import re

# What a token may be mistaken for.
SWAPS = {
    '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'],
    '<': ['<=', '>'], '>': ['>=', '<'], '<=': ['<'], '>=': ['>'], '==': ['!='], '!=': ['=='],
    '&&': ['||'], '||': ['&&'], '+=': ['='], '-=': ['+='], '*=': ['='], '++': ['--'], '--': ['++'], '!': [''],
    'true': ['false'], 'false': ['true'], 'min': ['max'], 'max': ['min'], 'begin': ['end'], 'end': ['begin'],
    'front': ['back'], 'back': ['front'], 'break': ['continue'], 'continue': ['break'],
}
NUMBER = re.compile(r"(?<![\w.'])\d[\d']*(\.\d+)?(e[-+]?\d+)?(?![\w.'])")
TOKEN = re.compile(r'\+=|-=|\*=|\+\+|--|<=|>=|==|!=|&&|\|\||->|<<|>>|::|[-+*/<>!]|\b[a-z_]+\b')


def is_code(line):
    """Whether the line computes something: no comment, include, declaration of a template, or error message."""
    bare = line.strip()
    return bool(bare) and not re.match(r'//|#|template|using|namespace|static_assert|fail<|case ', bare) \
        and '"' not in bare and 'operator' not in bare


def without_comment(line):
    return line.split('//')[0]


def is_template_bracket(line, at, token):
    """< and > of std::vector<T> stand beside a letter and without blanks; those that compare stand between blanks."""
    return token in '<>' and not (line[at - 1:at] == ' ' and line[at + 1:at + 2] == ' ')


def is_unary_or_type(line, at, token):
    """The * of a pointer and the - of −1 are left alone where there is no blank on both sides."""
    return token in ('*', '-', '+', '/') and not (line[at - 1:at] == ' ' and line[at + 1:at + 2] == ' ')


def real(value):
    """As a real number is written in C++: 3.0, not 3."""
    text = f'{value:g}'
    return text if '.' in text or 'e' in text else text + '.0'


def faults_of(line):
    """All faults of one token that can be planted in the line, as changed lines."""
    if not is_code(line):
        return []
    code, rest = without_comment(line), line[len(without_comment(line)):]
    changed = []
    for found in TOKEN.finditer(code):
        token, at = found.group(), found.start()
        if token not in SWAPS or is_template_bracket(code, at, token) or is_unary_or_type(code, at, token):
            continue
        changed += [code[:at] + other + code[found.end():] + rest for other in SWAPS[token]]
    for found in NUMBER.finditer(code):
        number = found.group()
        if found.group(1) or found.group(2):
            others = [real(1.5 * float(number) or 1.0)]
        else:
            value = int(number.replace("'", ''))
            others = [str(value + 1)] + ([str(value - 1)] if value > 0 else [])
        changed += [code[:found.start()] + other + code[found.end():] + rest for other in others]
    return changed
