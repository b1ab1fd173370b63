"""Runs the unittest cases of the calling file. Prints 'ok - …' or 'not ok - …' for each; ./test counts these lines."""
import sys
import unittest


class _Lines(unittest.TextTestResult):
    def addSuccess(self, test):
        super().addSuccess(test)
        print(f'ok - {test.id().split(".")[-1]}')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        print(f'not ok - {test.id().split(".")[-1]}')

    addError = addFailure


def main():
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=_Lines, stream=sys.stderr, verbosity=0))
