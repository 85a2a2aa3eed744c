"""How a guest becomes an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from accounts.models import User


class KeepDealsForm(forms.Form):
    """An email and a password for the guest who is signed in now."""

    email = forms.EmailField(widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    password1 = forms.CharField(
        label="Password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, guest: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guest = guest

    def clean_email(self) -> str:
        """An address that nobody else signs in with."""
        email: str = self.cleaned_data["email"].lower()
        if User.objects.filter(email__iexact=email).exists():
            raise forms.ValidationError("There is an account with this email. Sign in with it instead.")
        return email

    def clean_password1(self) -> str:
        """As strong as any other account's."""
        password: str = self.cleaned_data["password1"]
        validate_password(password, self.guest)
        return password
